import { type Database, readDatabaseTime } from '@gatehouse/db';

const DAY_MS = 86_400_000;

/**
 * When restorable data is erased. Erasure uses the database's clock. Without this, a node whose clock is
 * behind would compute a grace shorter than promised.
 */
export async function graceEnd(
  tx: Database,
  { graceDays, nowMs }: { graceDays: number; nowMs: number },
): Promise<number> {
  return Math.max(nowMs, await readDatabaseTime(tx)) + graceDays * DAY_MS;
}
