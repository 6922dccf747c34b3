import { readdir, readFile } from 'node:fs/promises';
import { listDeadMails } from '@gatehouse/db/queries/list-mails';
import { claimMails, insertMail, setMailOutcome } from '@gatehouse/db/queries/mail-queue';
import { createLogger } from '@gatehouse/runtime/log/log';
import { createOutboxDriver } from '@gatehouse/runtime/mail/create-mail-driver';
import type { Delivery, MailDriver, OutgoingMail } from '@gatehouse/runtime/mail/mail-driver';
import { createTestDatabase, createTestFolder, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import type { Services } from '../core/context.js';
import { createServices } from '../deployment/create-services.js';
import { mailDelivery } from './mail-delivery.js';
import { mailRetention } from './mail-retention.js';
import { mailWatch } from './mail-watch.js';
import { queueMail } from './queue-mail.js';

const dialect = inject('dialect');

const SECOND_MS = 1000;

const HOUR_MS = 3_600_000;

async function startWorld() {
  const test = await createTestDatabase(dialect);
  const clock = { nowMs: Date.now() };
  const taken: OutgoingMail[] = [];
  const answers: Delivery[] = [];
  const driver: MailDriver = {
    name: 'resend',
    keepsContent: false,
    deliver(mail) {
      taken.push(mail);
      return Promise.resolve(answers.shift() ?? { outcome: 'sent' });
    },
  };
  const log = createLogger({ service: 'test', level: 'silent' });
  const config = testConfig();
  const node = (): Services => ({
    ...createServices({ config, db: test.database, log, application: 'web', now: () => clock.nowMs }),
    mail: driver,
  });
  const services = node();
  const write = (to: string) =>
    test.database.transaction((tx) =>
      queueMail(tx, services, {
        kind: 'activation',
        to,
        data: { link: `http://app.test/confirm?token=${to}` },
      }),
    );
  const rows = () => test.database.select().from(test.database.tables.mailOutbox);
  return {
    services,
    node,
    clock,
    taken,
    answers,
    driver,
    write,
    rows,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const failing: Delivery = { outcome: 'retry', reason: 'resend 500' };

describe('the delivery of mails', () => {
  it('delivers each once with any number of nodes', async () => {
    await using world = await startWorld();
    for (let index = 0; index < 30; index += 1) await world.write(`m${index}@many.test`);
    const nodes = Array.from({ length: 4 }, () => world.node());
    for (let turn = 0; turn < 12; turn += 1)
      await Promise.all(nodes.map((services) => mailDelivery.run(services)));
    expect(world.taken).toHaveLength(30);
    expect(new Set(world.taken.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(30);
    expect((await world.rows()).every(({ state }) => state === 'sent')).toBe(true);
  });

  it('stores the text of a mail encrypted until it is sent, and then deletes it', async () => {
    await using world = await startWorld();
    await world.write('ada@lovelace.test');
    const [waiting] = await world.rows();
    expect(waiting?.text).toMatch(/^v1\./);
    expect(waiting?.html).toMatch(/^v1\./);
    await mailDelivery.run(world.services);
    expect(world.taken[0]?.text).toContain('http://app.test/confirm?token=ada@lovelace.test');
    const [sent] = await world.rows();
    expect(sent).toMatchObject({ state: 'sent', text: '', html: '' });
  });

  it('keeps no mail of a transaction that fails', async () => {
    await using world = await startWorld();
    const failed = world.services.db.transaction(async (tx) => {
      await queueMail(tx, world.services, { kind: 'activation', to: 'a@b.test', data: { link: 'x' } });
      throw new Error('later');
    });
    await expect(failed).rejects.toThrow('later');
    expect(await world.rows()).toEqual([]);
    expect(await mailDelivery.run(world.services)).toBe(0);
  });

  it('retries later each time, under the same key, until the provider accepts the mail', async () => {
    await using world = await startWorld();
    await world.write('ada@lovelace.test');
    world.answers.push(failing, failing, failing);
    const pauses: number[] = [];
    for (let failures = 0; failures < 3; failures += 1) {
      expect(await mailDelivery.run(world.services)).toBe(1);
      expect(await mailDelivery.run(world.services)).toBe(0);
      const [row] = await world.rows();
      expect(row).toMatchObject({ state: 'pending', attempts: failures + 1, lastError: 'resend 500' });
      pauses.push((row?.dueAtMs ?? 0) - world.clock.nowMs);
      world.clock.nowMs = row?.dueAtMs ?? 0;
    }
    for (const [index, pauseMs] of pauses.entries()) {
      const middleMs = 5 * SECOND_MS * 2 ** index;
      expect(pauseMs).toBeGreaterThanOrEqual(middleMs * 0.8);
      expect(pauseMs).toBeLessThanOrEqual(middleMs * 1.2);
    }
    expect(await mailDelivery.run(world.services)).toBe(1);
    expect(new Set(world.taken.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(await world.rows()).toMatchObject([{ state: 'sent', attempts: 4, lastError: null }]);
  });

  it('does not let a failing mail delay the others', async () => {
    await using world = await startWorld();
    for (let index = 0; index < 25; index += 1) await world.write(`m${index}@many.test`);
    world.answers.push(...Array.from({ length: 10 }, () => failing));
    while ((await mailDelivery.run(world.services)) > 0);
    const states = (await world.rows()).map(({ state }) => state);
    expect(states.filter((state) => state === 'sent')).toHaveLength(15);
    expect(states.filter((state) => state === 'pending')).toHaveLength(10);
  });

  it('marks a refused mail as failed and keeps its text for an operator, and an expired one without its text', async () => {
    await using world = await startWorld();
    await world.write('refused@many.test');
    world.answers.push({ outcome: 'refused', reason: 'smtp EENVELOPE 550 RCPT TO' });
    await mailDelivery.run(world.services);
    await world.write('late@many.test');
    world.answers.push(...Array.from({ length: 200 }, () => failing));
    for (let hours = 0; hours < 30; hours += 1) {
      await mailDelivery.run(world.services);
      world.clock.nowMs += HOUR_MS;
    }
    const dead = await listDeadMails(world.services.db, 10);
    expect(dead).toMatchObject([
      {
        recipient: 'refused@many.test',
        lastError: 'smtp EENVELOPE 550 RCPT TO',
        text: expect.stringMatching(/^v1\./),
      },
      { recipient: 'late@many.test', lastError: 'resend 500', text: '' },
    ]);
    expect(world.taken.length).toBeGreaterThan(20);
  });

  it('delivers again a mail that a node claimed and never completed, once its lease ends', async () => {
    await using world = await startWorld();
    await world.write('ada@lovelace.test');
    const dying: Services = {
      ...world.services,
      mail: { ...world.driver, deliver: () => new Promise(() => undefined) },
    };
    void mailDelivery.run(dying);
    await expect.poll(async () => (await world.rows())[0]?.leaseToken).toBeTruthy();
    expect(await mailDelivery.run(world.services)).toBe(0);
    world.clock.nowMs += 61 * SECOND_MS;
    expect(await mailDelivery.run(world.services)).toBe(1);
    expect(await world.rows()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('never delivers a void mail, and deletes it within the hour', async () => {
    await using world = await startWorld();
    await queueMail(world.services.db, world.services, {
      kind: 'activation',
      to: 'x@y.test',
      data: { link: 'x' },
      isVoid: true,
    });
    await world.write('ada@lovelace.test');
    world.clock.nowMs += HOUR_MS + SECOND_MS;
    await mailDelivery.run(world.services);
    expect(world.taken.map(({ to }) => to)).toEqual(['ada@lovelace.test']);
    expect(await mailRetention.run(world.services)).toBe(1);
    expect(await world.rows()).toHaveLength(1);
    world.clock.nowMs += 31 * 24 * HOUR_MS;
    expect(await mailRetention.run(world.services)).toBe(1);
    expect(await world.rows()).toEqual([]);
  });

  it('counts the mails of one kind to one address, in any spelling', async () => {
    await using world = await startWorld();
    const spellings = ['ada@lovelace.test', 'ADA@lovelace.test', 'ａda@lovelace.test'];
    const written = await Promise.all(
      Array.from({ length: 12 }, (_, index) => world.write(spellings[index % 3] ?? '')),
    );
    expect(written.filter(Boolean)).toHaveLength(5);
    expect(await world.write('other@lovelace.test')).toBe(true);
  });
});

describe('the outbox', () => {
  it('writes each mail as a file that mail programs open, readable only by its owner', async () => {
    await using world = await startWorld();
    await using folder = await createTestFolder();
    const driver = createOutboxDriver({
      directory: `${folder.path}/outbox`,
      from: 'Gatehouse <no-reply@gatehouse.test>',
    });
    await world.write('ada@lovelace.test');
    await mailDelivery.run({ ...world.services, mail: driver });
    const [name, ...others] = await readdir(`${folder.path}/outbox`);
    expect([name, others]).toEqual([expect.stringMatching(/^activation-[0-9a-f]{32}\.eml$/), []]);
    const content = await readFile(`${folder.path}/outbox/${name}`, 'utf8');
    expect(content).toMatch(/^To: ada@lovelace\.test\r$/m);
    const [row] = await world.rows();
    expect(row?.text).toMatch(/^v1\./);
  });
});

it('while the mail server is unavailable, the log says how many mails wait and what to do, and sent mails log nothing', async () => {
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
