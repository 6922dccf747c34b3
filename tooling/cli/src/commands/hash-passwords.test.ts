import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dummyHash, hashPassword, verifyPassword, wrapPasswordHash } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { declarePlainPasswords, findMostPasswordCost } from '@gatehouse/db/queries/imported-passwords';
import { findCredentialById, setPasswordHash } from '@gatehouse/db/queries/passwords';
import { FOREIGN_PASSWORDS } from '@gatehouse/features/test/foreign-passwords';
import { createTestFolder, insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { hashPasswords } from './hash-passwords.js';

const PASSWORD = 'Known-Before-1';

async function putIn(db: Database, stored: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const password of stored) {
    const { id } = await insertTestMember(db, { withSession: false });
    await setPasswordHash(db, id, dummyHash, password);
    ids.push(id);
  }
  return ids;
}

/** An empty database and the command over it. */
async function sitDown() {
  const folder = await createTestFolder();
  const DATABASE_URL = `file:${folder.path}/passwords.db`;
  const db = await openDatabase(DATABASE_URL);
  await db.migrate();
  return {
    db,
    async run(...args: string[]) {
      const said: string[] = [];
      const code = await hashPasswords.run({
        args,
        env: { DATABASE_URL, INIT_CWD: folder.path },
        say: (line) => void said.push(line),
        draw: () => undefined,
      });
      return { code, said: said.join('\n') };
    },
    accept: (text: string) => writeFile(`${folder.path}/accepted.txt`, text),
    async [Symbol.asyncDispose]() {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const passwordsOf = (db: Database, ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await findCredentialById(db, id))?.password));

const OF_PHPASS = '$foreign$phpass$$P$BNaClNaClm3hQnRzFqeUZHHnVzMdJ1/';

/** A hash as WordPress 6.8 and later store it. */
async function hashOfWordPress(password: string, cost: number): Promise<string> {
  const digest = createHmac('sha384', 'wp-sha384').update(password).digest('base64');
  return (await hashPassword(digest, cost)).replace('$2b$', '$wp$2y$');
}

describe('hash-passwords', () => {
  it('hashes passwords declared plain, wraps low costs and counts high ones, so that every password keeps working, and can be run again', async () => {
    await using operator = await sitDown();
    const { db, run } = operator;
    const low = await hashPassword(PASSWORD, 4);
    const ids = await putIn(db, [
      PASSWORD,
      low,
      low.replace('$2b$', '$2a$'),
      (await hashPassword(PASSWORD, 9)).replace('$2b$', '$2y$'),
      await wrapPasswordHash(low),
      await hashPassword(PASSWORD),
      await hashPassword(PASSWORD, 11),
      await hashOfWordPress(PASSWORD, 11),
      OF_PHPASS,
    ]);
    await declarePlainPasswords(db, ids);

    expect((await run()).code).toBe(0);
    const after = [];
    for (const id of ids) after.push(await findCredentialById(db, id));
    for (const each of after.slice(0, -1)) expect(await verifyPassword(PASSWORD, each?.password)).toBe(true);
    expect(after.map((each) => each?.password.slice(0, 15))).toEqual([
      expect.stringMatching(/^\$2b\$10\$/),
      '$wrapped$2b$04$',
      '$wrapped$2a$04$',
      '$wrapped$2b$09$',
      '$wrapped$2b$04$',
      expect.stringMatching(/^\$2b\$10\$/),
      expect.stringMatching(/^\$2b\$11\$/),
      expect.stringMatching(/^\$wp\$2y\$11\$/),
      '$foreign$phpass',
    ]);
    expect(after.map((each) => each?.passwordRounds)).toEqual([
      null,
      1040,
      1040,
      1536,
      null,
      null,
      2048,
      2048,
      null,
    ]);
    expect(after.map((each) => each?.passwordDelayMs)).toEqual([...ids.slice(1).map(() => null), 83]);
    expect(await findMostPasswordCost(db)).toEqual({ rounds: 2048, delayMs: 83 });

    expect(await run()).toEqual({
      code: 0,
      said: 'No password that was declared plain stands in plain text.\nNo hash of low cost stands bare.',
    });
    expect(await passwordsOf(db, ids)).toEqual(after.map((each) => each?.password));
  });

  it('never turns a damaged hash itself into the password, and counts it as unknown', async () => {
    await using operator = await sitDown();
    const stored = [
      dummyHash.replace('$10$', '$04$').replace(/.$/, '!'),
      dummyHash.replace('$10$', '$12$').replace(/.$/, 'é'),
      '$wp$2y$12$'.padEnd(63, '!'),
      '$foreign$phpass$$P$B',
    ];
    const ids = await putIn(operator.db, stored);
    const { said } = await operator.run();
    expect(said).toContain('3 stored passwords are no hash that is known');
    expect(await passwordsOf(operator.db, ids)).toEqual(stored);
    for (const text of stored) expect(await verifyPassword(text, text)).toBe(false);
  });

  it('changes no text that was not declared plain, and counts such texts', async () => {
    await using operator = await sitDown();
    const stored = [
      PASSWORD,
      '{SSHA}W3tCxAHbIVZ7Y0yRhJx8T2F1',
      dummyHash.replace('$10$', '$14$'),
      'x'.repeat(80),
    ];
    const ids = await putIn(operator.db, stored);
    const { code, said } = await operator.run();
    expect([code, said]).toEqual([
      0,
      expect.stringContaining('4 stored passwords are no hash that is known'),
    ]);
    expect(await passwordsOf(operator.db, ids)).toEqual(stored);
  });

  it('declares every such text plain with --plain-passwords, but lists what looks like a hash or is too long', async () => {
    await using operator = await sitDown();
    const foreign = FOREIGN_PASSWORDS.map(([, each]) => each);
    const ids = await putIn(operator.db, [PASSWORD, '!important1', ...foreign, 'x'.repeat(80)]);
    const listed = ids.slice(2);
    const { code, said } = await operator.run('--plain-passwords');
    expect(code).toBe(1);
    expect(said).toContain('2 passwords were declared plain.');
    const numbers = [...said.matchAll(/^member (\d+):/gm)].map(([, id]) => Number(id));
    expect(numbers).toEqual(listed);
    const [first, second, ...left] = await passwordsOf(operator.db, ids);
    expect(await verifyPassword(PASSWORD, first)).toBe(true);
    expect(await verifyPassword('!important1', second)).toBe(true);
    expect(left).toEqual([...foreign, 'x'.repeat(80)]);
    for (const each of foreign) if (each.length > 20) expect(said).not.toContain(each);
  });

  it('declares what looks like a hash only when the operator accepts the member', async () => {
    await using operator = await sitDown();
    const digests = ['5f4dcc3b5aa765d61d8327deb882cf99', '*0123456789ABCDEF0123456789ABCDEF01234567'];
    const ids = await putIn(operator.db, digests);
    await operator.accept(`member ${ids[1]}: looked at\n`);
    const { code, said } = await operator.run('--plain-passwords', '--accept-lines', 'accepted.txt');
    expect([code, said]).toEqual([1, expect.stringContaining(`member ${ids[0]}: `)]);
    const [kept, hashed] = await passwordsOf(operator.db, ids);
    expect(kept).toBe(digests[0]);
    expect(await verifyPassword(digests[1] ?? '', hashed)).toBe(true);
  });
});
