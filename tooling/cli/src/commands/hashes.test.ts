import { dummyHash, passwordCost } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { declarePlainPasswords, notePasswordUse } from '@gatehouse/db/queries/imported-passwords';
import { setPasswordHash } from '@gatehouse/db/queries/passwords';
import { createTestFolder, insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { hashes } from './hashes.js';

it('the hashes command counts the stored passwords by kind, with their last use and how long a wrong password waits', async () => {
  await using folder = await createTestFolder();
  const DATABASE_URL = `file:${folder.path}/hashes.db`;
  const db = await openDatabase(DATABASE_URL);
  await db.migrate();
  for (const stored of [
    dummyHash,
    dummyHash,
    dummyHash,
    `$wrapped$2b$04$${'a'.repeat(22)}${dummyHash}`,
    `$wp$2y$10$${'a'.repeat(53)}`,
    `$digest$md5$${dummyHash}`,
    `$foreign$phpass$$P$BNaClNaCl${'.'.repeat(22)}`,
    `$foreign$phpass$$P$HNaClNaCl${'.'.repeat(22)}`,
    `$foreign$sha-crypt$$5$saltsalt$${'.'.repeat(43)}`,
    'Lantern-Harbor-42',
    'Velvet-Meadow-31',
  ]) {
    const { id } = await insertTestMember(db, { withSession: false });
    await setPasswordHash(db, id, dummyHash, stored, passwordCost(stored));
    if (stored.startsWith('Velvet')) await declarePlainPasswords(db, [id]);
  }
  for (const [kind, nowMs] of [
    ['phpass', Date.parse('2026-11-01T08:00:00Z')],
    ['phpass', Date.parse('2026-11-01T08:00:59Z')],
    ['django', Date.parse('2026-10-01T08:00:00Z')],
    ['django', Date.parse('2026-10-01T09:00:00Z')],
    ['django', Date.parse('2026-10-01T08:30:00Z')],
  ] as const)
    await notePasswordUse(db, { kind, nowMs });
  await db.close();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const context = { args: [], env: { DATABASE_URL, INIT_CWD: folder.path }, say, draw: () => undefined };
  expect(await hashes.run(context)).toBe(0);
  expect(said).toEqual([
    '3 bcrypt; never used',
    '2 phpass, until its owner signs in; a wrong password waits 2.15 s; last used 2026-11-01T08:00:00.000Z',
    '1 MD5, SHA-1 or SHA-256 inside of bcrypt, until its owner signs in: quick to guess for who has seen the digest; never used',
    '1 plain text; run gatehouse hash-passwords',
    '1 sha-crypt, until its owner signs in; a wrong password waits 0.07 s; never used',
    '1 no hash that is known: nobody signs in with it',
    '1 bcrypt of WordPress, until its owner signs in; never used',
    '1 bcrypt of low cost, wrapped in one of cost 10 until its owner signs in; never used',
    '0 django; last used 2026-10-01T09:00:00.000Z',
  ]);
});
