import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { Database } from '../database.js';

/** A row of the replaced system that is here. */
export interface MovedRowDigest {
  readonly rowKey: string;
  readonly digest: string;
}

/** A row that was moved. */
export interface BroughtRow {
  readonly digest: string;
  /** When it was written last. */
  readonly broughtAtMs: number;
}

/** Those of the rows that were moved, by their keys. */
export async function findMovedRows(
  db: Database,
  kind: string,
  rowKeys: readonly string[],
): Promise<ReadonlyMap<string, BroughtRow>> {
  if (rowKeys.length === 0) return new Map();
  const { movedRows } = db.tables;
  const rows = await db
    .select({ rowKey: movedRows.rowKey, digest: movedRows.digest, broughtAtMs: movedRows.broughtAtMs })
    .from(movedRows)
    .where(and(eq(movedRows.kind, kind), inArray(movedRows.rowKey, [...new Set(rowKeys)])));
  return new Map(rows.map(({ rowKey, ...row }) => [rowKey, row]));
}

/** Keeps the digests of rows that were moved just now, in the transaction that wrote them. */
export async function putMovedRows(
  tx: Database,
  kind: string,
  { rows, nowMs }: { readonly rows: readonly MovedRowDigest[]; readonly nowMs: number },
): Promise<void> {
  const { movedRows } = tx.tables;
  const known = await findMovedRows(
    tx,
    kind,
    rows.map(({ rowKey }) => rowKey),
  );
  await tx.insertMany(
    movedRows,
    rows.filter(({ rowKey }) => !known.has(rowKey)).map((row) => ({ kind, ...row, broughtAtMs: nowMs })),
  );
  for (const { rowKey, digest } of rows.filter((row) => known.has(row.rowKey)))
    await tx.write(
      tx
        .update(movedRows)
        .set({ digest, broughtAtMs: nowMs })
        .where(and(eq(movedRows.kind, kind), eq(movedRows.rowKey, rowKey))),
    );
}

/** The keys of the rows of a kind that were moved, in ascending order. */
export async function listMovedRows(
  db: Database,
  kind: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { movedRows } = db.tables;
  const rows = await db
    .select({ rowKey: movedRows.rowKey })
    .from(movedRows)
    .where(and(eq(movedRows.kind, kind), gt(movedRows.rowKey, after)))
    .orderBy(asc(movedRows.rowKey))
    .limit(limit);
  return rows.map(({ rowKey }) => rowKey);
}
