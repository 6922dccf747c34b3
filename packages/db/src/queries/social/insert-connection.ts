import type { Database } from '../../database.js';
import type { ConnectionContent } from './connection-content.js';

/**
 * Connects a provider identity to a member.
 * @throws {DuplicateKeyError} when the identity is connected already, to whomever
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
