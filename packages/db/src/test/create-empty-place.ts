import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestFolder, type TestDialect } from '@gatehouse/testkit/database';
import { createConnection } from 'mysql2/promise';

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
