import type { Database } from '@gatehouse/db';

/** How many rows there are of everything that a social flow could leave behind. */
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
