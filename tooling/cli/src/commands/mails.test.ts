import { readdir, readFile } from 'node:fs/promises';
import { claimMails, insertMail, setMailOutcome } from '@gatehouse/db/queries/mail-queue';
import { LOCALES } from '@gatehouse/features/core/member-view';
import { MAIL_KINDS } from '@gatehouse/features/mail/mail-kinds';
import { createTestDatabase, createTestFolder, findFreePort, type TestDatabase } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { Command } from '../command.js';
import { mails } from './mails.js';
import { previewMails } from './preview-mails.js';

async function run(command: Command, env: Record<string, string>, ...args: string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const code = await command.run({ args, env, say, draw: () => undefined });
  return { code, lines };
}

async function giveUp({ database }: TestDatabase, recipient: string, keepsContent: boolean): Promise<void> {
  const body = { subject: 's', text: 'sealed', html: 'sealed', kind: 'activation', memberId: null };
  await insertMail(database, { ...body, idempotencyKey: recipient, recipient, state: 'pending', nowMs: 1 });
  const claim = { leaseToken: recipient, leaseUntilMs: 9, limit: 1, nowMs: 1 };
  const [mail] = await claimMails(database, claim);
  const outcome = { state: 'dead', reason: 'smtp EENVELOPE 550 RCPT TO', keepsContent } as const;
  await setMailOutcome(database, { id: mail?.id ?? 0, leaseToken: recipient }, outcome);
}

describe('gatehouse mails', () => {
  it('lists mails that were given up with the reason, and retries those that can still be sent', async () => {
    await using place = await createTestDatabase('libsql');
    const env = { DATABASE_URL: place.url };
    expect(await run(mails, env, 'list')).toEqual({ code: 0, lines: ['No mail was given up.'] });
    await giveUp(place, 'typo@many.test', true);
    await giveUp(place, 'late@many.test', false);
    const { lines } = await run(mails, env, 'list');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^1 .* activation {2}typo@many\.test {2}1 tries {2}smtp EENVELOPE 550 RCPT TO$/);
    expect(await run(mails, env, 'retry', '1', '2', '3')).toMatchObject({
      code: 1,
      lines: ['1: will be tried again', expect.stringMatching(/^2: not/), expect.stringMatching(/^3: not/)],
    });
    expect((await run(mails, env, 'list')).lines).toHaveLength(1);
    const { mailOutbox } = place.database.tables;
    expect(await place.database.select().from(mailOutbox)).toMatchObject([
      { state: 'pending' },
      { state: 'dead' },
    ]);
  });

  it('lists waiting mails with the next attempt and the result of the last one', async () => {
    await using place = await createTestDatabase('libsql');
    const env = { DATABASE_URL: place.url };
    expect(await run(mails, env, 'list', '--waiting')).toEqual({ code: 0, lines: ['No mail waits.'] });
    const body = { subject: 's', text: 'sealed', html: 'sealed', kind: 'activation', memberId: null };
    const mail = {
      ...body,
      idempotencyKey: 'k',
      recipient: 'ada@many.test',
      state: 'pending',
      nowMs: 1,
    } as const;
    await insertMail(place.database, mail);
    const claim = { leaseToken: 't', leaseUntilMs: 9, limit: 1, nowMs: 1 };
    const [{ id } = { id: 0 }] = await claimMails(place.database, claim);
    const outcome = { state: 'pending', dueAtMs: 60_000, reason: 'smtp ECONNECTION CONN' } as const;
    await setMailOutcome(place.database, { id, leaseToken: 't' }, outcome);
    expect((await run(mails, env, 'list', '--waiting')).lines).toEqual([
      '1  1970-01-01T00:00:00.001Z  activation  ada@many.test  1 tries  next 1970-01-01T00:01:00.000Z  smtp ECONNECTION CONN',
    ]);
    expect((await run(mails, env, 'list')).lines).toEqual(['No mail was given up.']);
  });

  it('sends a test, and says what prevents it from being sent', async () => {
    await using folder = await createTestFolder();
    const port = await findFreePort();
    const APP_URL = 'https://app.example.com';
    const SMTP_URL = `smtp://ada:s3cret@127.0.0.1:${port}`;
    const away = await run(mails, { APP_URL, SMTP_URL }, 'test', 'ada@many.test');
    expect(away).toMatchObject({ code: 1, lines: [expect.stringContaining('cannot be reached')] });
    expect(away.lines[0]).toContain(`Not sent: the mail server at 127.0.0.1:${port} cannot be reached`);
    expect(away.lines[0]).not.toContain('s3cret');
    const local = { APP_URL, MAIL_OUTBOX_DIRECTORY: folder.path };
    expect(await run(mails, local, 'test', 'ada@many.test')).toEqual({
      code: 0,
      lines: [
        `Nothing left this machine: neither SMTP_URL nor RESEND_API_KEY is set. It was written to ${folder.path}.`,
      ],
    });
    expect(await readdir(folder.path)).toHaveLength(1);
    expect((await run(mails, local, 'test', 'nobody')).code).toBe(2);
  });

  it('explains its usage for any other argument', async () => {
    for (const args of [
      [],
      ['retry'],
      ['retry', 'x'],
      ['list', '1'],
      ['delete', '1'],
      ['test'],
      ['retry', '1', '--waiting'],
    ]) {
      expect((await run(mails, {}, ...args)).code).toBe(2);
    }
  });
});

describe('gatehouse preview-mails', () => {
  it('writes every kind of mail in every language and both forms, which say the same and load nothing', async () => {
    await using folder = await createTestFolder();
    const { code, lines } = await run(previewMails, { APP_URL: 'https://app.example.com' }, folder.path);
    const kinds = Object.keys(MAIL_KINDS).flatMap((kind) => LOCALES.map((locale) => `${kind}.${locale}`));
    expect([code, lines.length]).toEqual([0, kinds.length]);
    expect((await readdir(folder.path)).toSorted()).toEqual(
      kinds.flatMap((kind) => [`${kind}.html`, `${kind}.txt`]).toSorted(),
    );
    for (const kind of kinds) {
      const text = await readFile(`${folder.path}/${kind}.txt`, 'utf8');
      const html = await readFile(`${folder.path}/${kind}.html`, 'utf8');
      const [link] = /https:\/\/app\.example\.com\S+/.exec(text) ?? [];
      if (link !== undefined) expect(html).toContain(`href="${link}"`);
      const shown = html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      for (const paragraph of text.split('\n\n').slice(1, 2)) expect(shown).toContain(paragraph);
      expect(html).toContain(`<!doctype html>\n<html lang="${kind.slice(-2)}">`);
      expect(html).not.toMatch(/<(?:script|img|link|iframe|form)\b|\bsrc=|@import|url\(/i);
    }
  });
});
