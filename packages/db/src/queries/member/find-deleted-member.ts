import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether a member is deleted, since when, and until when they can come back. */
export interface DeletedMember {
  isDeleted: boolean;
  deletedAtMs: number | null;
  /** The member of staff who deleted them, perhaps after they had deleted themselves. */
  deletedById: number | null;
  /** Null for members who did not delete themselves, and for erased ones. */
  erasesAtMs: number | null;
}

/** The state of a member. */
export async function findDeletedMember(db: Database, memberId: number): Promise<DeletedMember | undefined> {
  const { id, isDeleted, deletedAtMs, deletedById, erasesAtMs } = db.tables.members;
  const [row] = await db
    .select({ isDeleted, deletedAtMs, deletedById, erasesAtMs })
    .from(db.tables.members)
    .where(eq(id, memberId));
  return row;
}
