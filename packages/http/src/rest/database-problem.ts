import { type Database, DatabaseUnavailableError } from '@gatehouse/db';

/** Why a node with this database takes no traffic; undefined when it does. Opens a connection. */
export async function databaseProblem(
  db: Pick<Database, 'hasRoom' | 'pendingMigrations'>,
): Promise<string | undefined> {
  try {
    const pending = await db.pendingMigrations();
    if (pending.length > 0) return `${pending.length} migrations pending`;
    return (await db.hasRoom()) ? undefined : 'the disk of the database is full';
  } catch (error) {
    const isDenied = error instanceof DatabaseUnavailableError && error.reason === 'denied';
    return isDenied ? 'the database denies access' : 'database away';
  }
}
