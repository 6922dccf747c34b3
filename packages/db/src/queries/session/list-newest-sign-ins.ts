import { desc, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Who signed in, and from where. */
export interface NewestSignIn {
  memberId: number;
  address: string;
}

/** The newest sessions of all members, at most `limit`, without those that a partner began. */
export function listNewestSignIns(db: Database, limit: number): Promise<NewestSignIn[]> {
  const { id, memberId, address, partnerId } = db.tables.sessions;
  return db
    .select({ memberId, address })
    .from(db.tables.sessions)
    .where(isNull(partnerId))
    .orderBy(desc(id))
    .limit(limit);
}
