import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '../database.js';

/** The row that exists while an export is imported. Its table is not part of an export. */
const NAME = 'import';

/** Notes that an import writes to this database, until `endImport`. */
export async function beginImport(db: Database): Promise<void> {
  await db.insertOnce(db.tables.leases, { name: NAME, token: randomUUID(), leaseUntilMs: 0, dueAtMs: 0 });
}

export async function endImport(db: Database): Promise<void> {
  const { leases } = db.tables;
  await db.write(db.delete(leases).where(eq(leases.name, NAME)));
}

/** Whether an import writes to this database, or was stopped before its end. */
export async function isImportUnfinished(db: Pick<Database, 'select' | 'tables'>): Promise<boolean> {
  const { leases } = db.tables;
  const [row] = await db.select({ name: leases.name }).from(leases).where(eq(leases.name, NAME));
  return row !== undefined;
}
