import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareRead } from '../prepared.js';

/** The state that decides whether a partner's tokens and sessions are valid. */
export interface PartnerState {
  id: number;
  isActive: boolean;
  /** The partner's tokens and sessions are valid only if issued after this, in epoch milliseconds. */
  tokensValidAfterMs: number;
}

const prepared = prepareRead((db) => {
  const { id, isActive, tokensValidAfterMs } = db.tables.partners;
  return db
    .select({ id, isActive, tokensValidAfterMs })
    .from(db.tables.partners)
    .where(eq(id, sql.placeholder('partnerId')));
});

/** The current state of a partner. */
export async function findPartnerState(db: Database, partnerId: number): Promise<PartnerState | undefined> {
  const [row] = await prepared(db, { partnerId });
  return row;
}
