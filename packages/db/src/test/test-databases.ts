import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createTestDatabase,
  createTestFolder,
  type TestDatabase,
  type TestDialect,
} from '@gatehouse/testkit/database';
import { createConnection } from 'mysql2/promise';
import { seedDemonstration } from '../queries/seed-demonstration.js';

/** The stored password of every member of the demonstration except the legacy one. */
export const DEMONSTRATION_HASH = `$2b$10$${'a'.repeat(53)}`;

/** The time at which the demonstration is written, in epoch milliseconds. */
const DEMONSTRATION_MS = 1_800_000_000_000;

/** A database with the demonstration data. */
export async function createDemonstration(dialect: TestDialect): Promise<TestDatabase> {
  const test = await createTestDatabase(dialect);
  await seedDemonstration(test.database, {
    passwordHash: DEMONSTRATION_HASH,
    legacyPassword: 'Lantern-Harbor-42',
    partnerSecret: 'sealed',
    nowMs: DEMONSTRATION_MS,
  });
  return test;
}

/** An empty database without tables. */
export async function createEmptyPlace(
  dialect: TestDialect,
): Promise<AsyncDisposable & { readonly url: string }> {
  if (dialect === 'libsql') {
    const folder = await createTestFolder();
    const url = pathToFileURL(join(folder.path, 'empty.db')).href;
    return { url, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  }
  const server = process.env['TEST_MYSQL_URL'] ?? '';
  const name = `gatehouse_empty_${randomBytes(8).toString('hex')}`;
  const ask = async (sql: string) => {
    const connection = await createConnection(server);
    await connection.query(sql, [name]);
    await connection.end();
  };
  await ask('create database ??');
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, [Symbol.asyncDispose]: () => ask('drop database ??') };
}
