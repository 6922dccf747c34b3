import { eq, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { NODE_RELEASE } from '../upgrade/old-node-seen-at.js';
import type { ServiceNode } from './read-statistics.js';

/**
 * Says that a node of this release runs, and removes those that have said nothing since `goneBeforeMs`: until then they
 * tell whether nodes of an older release are still among them.
 */
export async function reportNode(
  db: Database,
  { name, ...report }: ServiceNode,
  { nowMs, goneBeforeMs }: { nowMs: number; goneBeforeMs: number },
): Promise<void> {
  const { serviceNodes } = db.tables;
  const row = { ...report, release: NODE_RELEASE, reportedAtMs: nowMs };
  const update = () => db.write(db.update(serviceNodes).set(row).where(eq(serviceNodes.name, name)));
  if ((await update()) === 0) await db.insertOnce(serviceNodes, { name, ...row });
  await db.write(db.delete(serviceNodes).where(lt(serviceNodes.reportedAtMs, goneBeforeMs)));
}
