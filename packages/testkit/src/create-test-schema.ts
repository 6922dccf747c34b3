import { randomBytes } from 'node:crypto';
import { openDatabase } from '@gatehouse/db';
import type { Connection } from 'mysql2/promise';
import { createServingUser } from './create-serving-user.js';
import { emptySchema, PROGRESS } from './empty-schema.js';
import { askForNames, TEST_PREFIX, urlOfSchema, withServer } from './test-server.js';

const TEMPLATE = `${TEST_PREFIX}template`;

/** The names of the template's tables, in their order. */
let tables: Promise<string[]> | undefined;

/** Emptied schemas of tests that have ended: the next test takes one, because making one takes ten times as long. */
const spare: string[] = [];

/** Provides an empty, migrated schema on the server of TEST_MYSQL_URL. */
export async function createTestSchema(): Promise<AsyncDisposable & { readonly url: string }> {
  const schema = spare.pop() ?? (await makeSchema());
  const owner = urlOfSchema(schema);
  const user = process.env['TEST_MYSQL_RIGHTS'] === 'serving' ? await createServingUser(owner) : undefined;
  return {
    url: user?.url ?? owner,
    async [Symbol.asyncDispose]() {
      await user?.[Symbol.asyncDispose]();
      await withServer(async (server) => {
        if (tables && (await emptySchema(server, { schema, template: TEMPLATE, names: await tables })))
          spare.push(schema);
        else await server.query('drop database ??', [schema]);
      });
    },
  };
}

async function makeSchema(): Promise<string> {
  const schema = `${TEST_PREFIX}${randomBytes(8).toString('hex')}`;
  await withServer(async (server) => {
    tables ??= migrateTemplate(server);
    const copies = [...(await tables), PROGRESS].map((table) =>
      server.format('create table ??.?? like ??.??', [schema, table, TEMPLATE, table]),
    );
    const progress = server.format('insert into ??.?? select * from ??.??', [
      schema,
      PROGRESS,
      TEMPLATE,
      PROGRESS,
    ]);
    await server.query([server.format('create database ??', [schema]), ...copies, progress].join(';\n'));
  });
  return schema;
}

/** One migrated schema per run, copied for tests. Returns the names of its tables, apart from the migrations' own. */
async function migrateTemplate(server: Connection): Promise<string[]> {
  await server.query('create database if not exists ??', [TEMPLATE]);
  const database = await openDatabase(urlOfSchema(TEMPLATE));
  await database.migrate();
  await database.close();
  const names = await askForNames(server, 'show tables in ??', [TEMPLATE]);
  return names.filter((name) => name !== PROGRESS).toSorted();
}
