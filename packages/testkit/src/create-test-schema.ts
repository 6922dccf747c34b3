import { randomBytes } from 'node:crypto';
import { openDatabase } from '@gatehouse/db';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { createServingUser } from './create-serving-user.js';

const TEMPLATE = 'gatehouse_test_template';

let template: Promise<string[]> | undefined;

/** Makes a migrated schema on the server of TEST_MYSQL_URL. */
export async function createTestSchema(): Promise<AsyncDisposable & { readonly url: string }> {
  const schema = `gatehouse_test_${randomBytes(8).toString('hex')}`;
  await withServer(async (server) => {
    template ??= migrateTemplate(server);
    const copies = (await template).map((table) =>
      server.format('create table ??.?? like ??.??', [schema, table, TEMPLATE, table]),
    );
    const progress = server.format(
      'insert into ??.gatehouse_migrations select * from ??.gatehouse_migrations',
      [schema, TEMPLATE],
    );
    await server.query([server.format('create database ??', [schema]), ...copies, progress].join(';\n'));
  });
  const owner = urlOf(schema);
  const user = process.env['TEST_MYSQL_RIGHTS'] === 'serving' ? await createServingUser(owner) : undefined;
  return {
    url: user?.url ?? owner,
    async [Symbol.asyncDispose]() {
      await user?.[Symbol.asyncDispose]();
      await withServer(async (server) => {
        await server.query('drop database ??', [schema]);
      });
    },
  };
}

/** Removes the template of an earlier run, which may have other migrations. */
export async function removeTemplateSchema(): Promise<void> {
  await withServer(async (server) => {
    await server.query('drop database if exists ??', [TEMPLATE]);
  });
}

/** One migrated schema per run, copied for every test. Returns its table names. */
async function migrateTemplate(server: Connection): Promise<string[]> {
  await server.query('create database if not exists ??', [TEMPLATE]);
  const database = await openDatabase(urlOf(TEMPLATE));
  await database.migrate();
  await database.close();
  const [rows] = await server.query<RowDataPacket[]>({
    sql: 'show tables in ??',
    values: [TEMPLATE],
    rowsAsArray: true,
  });
  return rows.map((row) => String(row[0]));
}

function urlOf(schema: string): string {
  const server = process.env['TEST_MYSQL_URL'];
  if (server === undefined) throw new Error('a test on MySQL needs a server: set TEST_MYSQL_URL');
  const url = new URL(server);
  url.pathname = `/${schema}`;
  return url.href;
}

async function withServer(body: (server: Connection) => Promise<void>): Promise<void> {
  const server = await createConnection({ uri: urlOf(''), multipleStatements: true });
  try {
    await body(server);
  } finally {
    await server.end();
  }
}
