import { and, eq, gt, isNull, not } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isBannedAt } from '../access/ban-columns.js';

/** A member who deleted themselves, still has their address, and can come back. */
export interface ReturningHolder {
  id: number;
  email: string;
  erasesAtMs: number;
}

/**
 * The member who deleted themselves and has an address until they are erased. Undefined for every other address, and while a ban
 * would keep them out.
 */
export async function findReturningHolder(
  db: Database,
  { emailKey, nowMs }: { emailKey: string; nowMs: number },
): Promise<ReturningHolder | undefined> {
  const { members } = db.tables;
  const { id, email, erasesAtMs } = members;
  const [row] = await db
    .select({ id, email, erasesAtMs })
    .from(members)
    .where(
      and(
        eq(members.emailKey, emailKey),
        eq(members.isDeleted, true),
        isNull(members.deletedById),
        gt(erasesAtMs, nowMs),
        not(isBannedAt(db.tables, nowMs)),
      ),
    );
  if (row === undefined || row.email === null || row.erasesAtMs === null) return undefined;
  return { id: row.id, email: row.email, erasesAtMs: row.erasesAtMs };
}
