import { type Database, readDatabaseTime } from '@gatehouse/db';

const DAY_MS = 86_400_000;

/**
 * When something that can still be restored is erased. Erasure goes by the database's time, so a grace that was counted by a
 * clock that is behind would be shorter than promised.
 */
export async function graceEnd(
  tx: Database,
  { graceDays, nowMs }: { graceDays: number; nowMs: number },
): Promise<number> {
  return Math.max(nowMs, await readDatabaseTime(tx)) + graceDays * DAY_MS;
}
