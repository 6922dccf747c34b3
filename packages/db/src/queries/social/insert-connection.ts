import type { Database } from '../../database.js';
import type { ConnectionContent } from './connection-content.js';

/**
 * Connects a provider identity to a member.
 * @throws {DuplicateKeyError} if the identity is already connected to any member
 */
export async function insertConnection(
  tx: Database,
  connection: ConnectionContent & {
    memberId: number;
    providerId: number;
    providerUserId: string;
    nowMs: number;
  },
): Promise<number> {
  const { nowMs, ...row } = connection;
  return tx.insert(tx.tables.socialConnections, { ...row, createdAtMs: nowMs, updatedAtMs: nowMs });
}
