import type { Database } from '@gatehouse/db';

/** Columns that may change without an effect. */
const NOTES = new Set(['lastSeenAtMs', 'lastUsedAtMs']);

/** The content of a database as text by table, without counts of attempts: a refused call gives its own back. */
export async function dumpEffects({ select, tables }: Database): Promise<Record<string, string>> {
  const { limits: _, loginFailures: _failures, ...counted } = tables;
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
