import type { Database } from '@gatehouse/db/database';

/** The number of rows in each table that a social flow can write. */
export async function countRows({ select, tables }: Database): Promise<Record<string, number>> {
  const { members, accounts, memberships, sessions, socialConnections, socialStates, mailOutbox } = tables;
  const counted = { members, accounts, memberships, sessions, socialConnections, socialStates, mailOutbox };
  const counts = await Promise.all(
    Object.entries(counted).map(
      async ([name, table]) => [name, (await select().from(table)).length] as const,
    ),
  );
  return Object.fromEntries(counts);
}
