import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Keeps a confirmed address that another one replaces. */
export async function insertFormerAddress(
  tx: Database,
  address: { memberId: number; email: string; untilMs: number },
): Promise<void> {
  await tx.insert(tx.tables.formerAddresses, address);
}

/** The confirmed address a member had at a moment; undefined if it is still theirs or no longer kept. */
export async function findFormerAddress(
  db: Database,
  { memberId, atMs }: { memberId: number; atMs: number },
): Promise<string | undefined> {
  const { formerAddresses } = db.tables;
  const [row] = await db
    .select({ email: formerAddresses.email })
    .from(formerAddresses)
    .where(and(eq(formerAddresses.memberId, memberId), gt(formerAddresses.untilMs, atMs)))
    .orderBy(asc(formerAddresses.untilMs))
    .limit(1);
  return row?.email;
}

/** Removes up to `limit` addresses that were replaced before a moment. Returns how many were removed. */
export async function removeFormerAddresses(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { formerAddresses } = db.tables;
  const rows = await db
    .select({ id: formerAddresses.id })
    .from(formerAddresses)
    .where(lt(formerAddresses.untilMs, beforeMs))
    .orderBy(asc(formerAddresses.untilMs))
    .limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  return db.write(db.delete(formerAddresses).where(inArray(formerAddresses.id, ids)));
}
