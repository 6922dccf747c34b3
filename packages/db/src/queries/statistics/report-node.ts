import { eq, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { ServiceNode } from './read-statistics.js';

/**
 * Says that a node runs, and removes those that have said nothing since `goneBeforeMs`.
 */
export async function reportNode(
  db: Database,
  { name, ...report }: ServiceNode,
  { nowMs, goneBeforeMs }: { nowMs: number; goneBeforeMs: number },
): Promise<void> {
  const { serviceNodes } = db.tables;
  const row = { ...report, reportedAtMs: nowMs };
  const update = () => db.write(db.update(serviceNodes).set(row).where(eq(serviceNodes.name, name)));
  if ((await update()) === 0) await db.insertOnce(serviceNodes, { name, ...row });
  await db.write(db.delete(serviceNodes).where(lt(serviceNodes.reportedAtMs, goneBeforeMs)));
}
