import { claimMails, insertMail, setMailOutcome } from '@gatehouse/db';
import { createTestDatabase, testConfig } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { mailWatch } from './mail-watch.js';

it('says of a mail server that is not there how many mails wait and what to do, and nothing of mails that leave', async () => {
  await using test = await createTestDatabase(inject('dialect'));
  const { database: db } = test;
  const lines: object[] = [];
  const config = testConfig({ SMTP_URL: 'smtp://ada:s3cret@mail.acme.test:2525' });
  const log = { warning: (event: string, fields: object) => void lines.push({ event, ...fields }) };
  const services = { config, db, log } as unknown as Parameters<typeof mailWatch.run>[0];
  const body = { subject: 's', text: 'sealed', html: 'sealed', kind: 'activation', memberId: null };
  for (const recipient of ['a@many.test', 'b@many.test', 'c@many.test'])
    await insertMail(db, { ...body, idempotencyKey: recipient, recipient, state: 'pending', nowMs: 1 });
  expect(await mailWatch.run(services)).toBe(0);
  expect(lines).toEqual([]);

  const claim = { leaseToken: 't', leaseUntilMs: 9, limit: 2, nowMs: 1 };
  for (const { id } of await claimMails(db, claim)) {
    const outcome = { state: 'pending', dueAtMs: 5, reason: 'smtp ESOCKET CONN' } as const;
    await setMailOutcome(db, { id, leaseToken: 't' }, outcome);
  }
  await mailWatch.run(services);
  expect(mailWatch.everyMs).toBe(60_000);
  expect(lines).toEqual([
    {
      event: 'mail.waiting',
      count: 2,
      reason: 'smtp ESOCKET CONN',
      detail:
        '2 mails wait: the mail server at mail.acme.test:2525 cannot be reached, or not by TLS: start it, or correct SMTP_URL (smtp ESOCKET CONN).',
    },
  ]);
});
