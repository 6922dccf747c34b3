import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type ConnectionRow, connectionColumns } from './connection-columns.js';

/** The connection of a provider identity. At most one member has it. */
export async function findConnection(
  db: Database,
  { providerId, providerUserId }: { providerId: number; providerUserId: string },
): Promise<ConnectionRow | undefined> {
  const { socialConnections } = db.tables;
  const [row] = await db
    .select(connectionColumns(db.tables))
    .from(socialConnections)
    .where(
      and(eq(socialConnections.providerId, providerId), eq(socialConnections.providerUserId, providerUserId)),
    );
  return row;
}
