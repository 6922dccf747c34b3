import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';

/** The beginning of the names of schemas that tests make. */
export const TEST_PREFIX = 'gatehouse_test_';

/** Removes what an earlier run left: the template, which may have other migrations, and the schemas of its tests. */
export async function removeTestSchemas(): Promise<void> {
  await withServer(async (server) => {
    const schemas = await askForNames(server, 'show databases like ?', [
      `${TEST_PREFIX.replaceAll('_', '\\_')}%`,
    ]);
    for (const schema of schemas) await server.query('drop database ??', [schema]);
  });
}

/** The first column of an answer. */
export async function askForNames(
  server: Connection,
  sql: string,
  values: readonly string[],
): Promise<string[]> {
  const [rows] = await server.query<RowDataPacket[]>({ sql, values: [...values], rowsAsArray: true });
  return rows.map((row) => String(row[0]));
}

/** A schema of the server of TEST_MYSQL_URL. */
export function urlOfSchema(schema: string): string {
  const server = process.env['TEST_MYSQL_URL'];
  if (server === undefined) throw new Error('a test on MySQL needs a server: set TEST_MYSQL_URL');
  const url = new URL(server);
  url.pathname = `/${schema}`;
  return url.href;
}

/** Runs the body over a connection to the server, which it closes. */
export async function withServer(body: (server: Connection) => Promise<void>): Promise<void> {
  const server = await createConnection({ uri: urlOfSchema(''), multipleStatements: true });
  try {
    await body(server);
  } finally {
    await server.end();
  }
}
