import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether a member is deleted, and until when they can come back. */
export interface DeletedMember {
  isDeleted: boolean;
  /** Null for members who did not delete themselves, and for erased ones. */
  erasesAtMs: number | null;
  roleType: number;
}

/** What became of a member. */
export async function findDeletedMember(db: Database, memberId: number): Promise<DeletedMember | undefined> {
  const { id, isDeleted, erasesAtMs, roleType } = db.tables.members;
  const [row] = await db
    .select({ isDeleted, erasesAtMs, roleType })
    .from(db.tables.members)
    .where(eq(id, memberId));
  return row;
}
