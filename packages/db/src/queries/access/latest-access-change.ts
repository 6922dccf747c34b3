import { max } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The highest id of the change log that is visible, 0 when there is none. */
export async function latestAccessChange(db: Database): Promise<number> {
  const { accessChanges } = db.tables;
  const [row] = await db.select({ id: max(accessChanges.id) }).from(accessChanges);
  return row?.id ?? 0;
}
