import { asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { ApplicationTokens } from '../tables/access-token-tables.js';

/** An API of the product that takes access tokens. */
export interface ResourceRow {
  readonly id: number;
  readonly origin: string;
  readonly name: string;
  readonly ttlSeconds: number;
  /** The machine whose keys may introspect its tokens; null if none may. */
  readonly machineId: number | null;
  readonly applicationTokens: ApplicationTokens;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export async function findResource(
  db: Database,
  by: { readonly id: number } | { readonly origin: string },
): Promise<ResourceRow | undefined> {
  const { resources } = db.tables;
  const condition = 'id' in by ? eq(resources.id, by.id) : eq(resources.origin, by.origin);
  const [row] = await db.select().from(resources).where(condition).limit(1);
  return row;
}

export async function listResources(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ResourceRow[]> {
  const { resources } = db.tables;
  return db.select().from(resources).where(gt(resources.id, afterId)).orderBy(asc(resources.id)).limit(limit);
}

type ResourceFields = Omit<ResourceRow, 'id' | 'createdAtMs' | 'updatedAtMs'>;

/** @throws {DuplicateKeyError} if another API has the origin */
export async function insertResource(
  db: Database,
  { nowMs, ...row }: ResourceFields & { nowMs: number },
): Promise<number> {
  return db.insert(db.tables.resources, { ...row, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/** @throws {DuplicateKeyError} if another API has the origin */
export async function setResource(
  db: Database,
  { id, nowMs, ...row }: ResourceFields & { id: number; nowMs: number },
): Promise<void> {
  const { resources } = db.tables;
  await db.write(
    db
      .update(resources)
      .set({ ...row, updatedAtMs: nowMs })
      .where(eq(resources.id, id)),
  );
}

export async function removeResource(db: Database, id: number): Promise<void> {
  const { resources } = db.tables;
  await db.write(db.delete(resources).where(eq(resources.id, id)));
}
