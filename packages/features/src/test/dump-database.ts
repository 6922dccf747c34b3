import type { Database } from '@gatehouse/db/database';

/** The whole content of a database, as text. */
export async function dumpDatabase({ select, tables }: Database): Promise<string> {
  const rows = await Promise.all(Object.values(tables).map((table) => select().from(table)));
  return JSON.stringify(rows);
}
