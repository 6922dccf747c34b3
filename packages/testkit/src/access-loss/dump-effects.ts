import type { Database } from '@gatehouse/db';

/** What may change although nothing is done: counts of attempts, and when somebody was seen. */
const NOTES = new Set(['lastSeenAtMs', 'lastUsedAtMs']);

/** Everything that stands in a database, as text by table, without what is noted of refused calls too. */
export async function dumpEffects({ select, tables }: Database): Promise<Record<string, string>> {
  const { limits: _, ...counted } = tables;
  const dumped = await Promise.all(
    Object.entries(counted).map(async ([name, table]) => [name, await select().from(table)] as const),
  );
  return Object.fromEntries(
    dumped.map(([name, rows]) => [
      name,
      JSON.stringify(rows, (key, value: unknown) => (NOTES.has(key) ? null : value)),
    ]),
  );
}
