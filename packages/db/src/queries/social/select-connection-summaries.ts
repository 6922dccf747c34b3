import { asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { ConnectionRow } from './connection-columns.js';

/** A connection without its tokens and contents. */
export type ConnectionSummary = Pick<
  ConnectionRow,
  | 'id'
  | 'providerId'
  | 'displayName'
  | 'email'
  | 'tokenStatus'
  | 'expiresAtMs'
  | 'renewDueAtMs'
  | 'createdAtMs'
>;

/** The select of the connections of a member, oldest first. */
export function selectConnectionSummaries(db: Database) {
  const { socialConnections } = db.tables;
  const { id, providerId, displayName, email, tokenStatus } = socialConnections;
  const { expiresAtMs, renewDueAtMs, createdAtMs } = socialConnections;
  return db
    .select({ id, providerId, displayName, email, tokenStatus, expiresAtMs, renewDueAtMs, createdAtMs })
    .from(socialConnections)
    .where(eq(socialConnections.memberId, sql.placeholder('memberId')))
    .orderBy(asc(id))
    .limit(sql.placeholder('limit'));
}
