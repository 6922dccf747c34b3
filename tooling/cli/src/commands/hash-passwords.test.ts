import { dummyHash, hashPassword, verifyPassword, wrapPasswordHash } from '@gatehouse/auth-core';
import {
  type Database,
  findCredentialById,
  findMostPasswordRounds,
  openDatabase,
  setPasswordHash,
} from '@gatehouse/db';
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

describe('hash-passwords', () => {
  it('hashes plain text, wraps low costs and counts high ones, so that every password stays, and may be run again', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/passwords.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    const low = await hashPassword(PASSWORD, 4);
    const stored = [
      PASSWORD,
      low,
      low.replace('$2b$', '$2a$'),
      (await hashPassword(PASSWORD, 9)).replace('$2b$', '$2y$'),
      await wrapPasswordHash(low),
      await hashPassword(PASSWORD),
      await hashPassword(PASSWORD, 11),
    ];
    const refused = [dummyHash.replace('$10$', '$14$'), 'x'.repeat(80)];
    const ids = await putIn(db, stored);
    const refusedIds = await putIn(db, refused);
    const said: string[] = [];
    const run = () =>
      hashPasswords.run({
        args: [],
        env: { DATABASE_URL },
        say: (line) => void said.push(line),
        draw: () => undefined,
      });

    expect(await run()).toBe(0);
    const after = [];
    for (const id of ids) after.push(await findCredentialById(db, id));
    for (const each of after) expect(await verifyPassword(PASSWORD, each?.password)).toBe(true);
    expect(after.map((each) => each?.password.slice(0, 15))).toEqual([
      expect.stringMatching(/^\$2b\$10\$/),
      '$wrapped$2b$04$',
      '$wrapped$2a$04$',
      '$wrapped$2b$09$',
      '$wrapped$2b$04$',
      expect.stringMatching(/^\$2b\$10\$/),
      expect.stringMatching(/^\$2b\$11\$/),
    ]);
    expect(after.map((each) => each?.passwordRounds)).toEqual([null, 1040, 1040, 1536, null, null, 2048]);
    expect(await findMostPasswordRounds(db)).toBe(2048);
    const [high, long] = [
      await findCredentialById(db, refusedIds[0] ?? 0),
      await findCredentialById(db, refusedIds[1] ?? 0),
    ];
    expect(high?.password).toBe(refused[0]);
    expect(long?.password).toBe(dummyHash);
    expect(said.join('\n')).toContain('1 were longer than bcrypt reads');

    said.length = 0;
    expect(await run()).toBe(0);
    expect(said).toEqual(['No password stands in plain text.', 'No hash of low cost stands bare.']);
    for (const [index, id] of ids.entries()) {
      expect((await findCredentialById(db, id))?.password).toBe(after[index]?.password);
    }
    await db.close();
  });
});
