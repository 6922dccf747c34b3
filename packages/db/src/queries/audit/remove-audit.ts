import { asc, inArray, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes up to `limit` lines of the audit log from before a moment, oldest first. Returns how many were removed. */
export async function removeAudit(
  tx: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { auditLog } = tx.tables;
  const rows = await tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(lt(auditLog.atMs, beforeMs))
    .orderBy(asc(auditLog.atMs))
    .limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  return tx.write(tx.delete(auditLog).where(inArray(auditLog.id, ids)));
}
