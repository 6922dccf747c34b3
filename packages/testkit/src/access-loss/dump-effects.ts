import type { Database } from '@gatehouse/db/database';

/** Columns that may change without an effect: times of last use, and counts of attempts, which a refused call gives back. */
const NOTES = new Set(['lastSeenAtMs', 'lastUsedAtMs', 'failures']);

/** The content of a database as text by table, without records of refused calls and what a node notes of the log once a minute. */
export async function dumpEffects({ select, tables }: Database): Promise<Record<string, string>> {
  const { limits: _, accessCheckpoints: __, ...counted } = tables;
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
