import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** How many one-time passwords of a holder count at once: the newest ones. */
const PASSWORDS_AT_ONCE = 3;

/** A one-time password that still counts. */
export interface OpenOneTimePassword {
  id: number;
  digest: string;
}

/** The one-time passwords of a holder that count, newest first: unused, unexpired, with attempts left. */
export function listOpenOneTimePasswords(
  db: Database,
  memberId: number,
  { most, nowMs }: { most: number; nowMs: number },
): Promise<OpenOneTimePassword[]> {
  const { oneTimePasswords } = db.tables;
  const { id, digest, serial, usedAtMs, expiresAtMs, attempts } = oneTimePasswords;
  return db
    .select({ id, digest })
    .from(oneTimePasswords)
    .where(
      and(
        eq(oneTimePasswords.memberId, memberId),
        isNull(usedAtMs),
        gt(expiresAtMs, nowMs),
        lt(attempts, most),
      ),
    )
    .orderBy(desc(serial))
    .limit(PASSWORDS_AT_ONCE);
}

/** The newest one-time password of a holder, used and expired ones included. */
export async function findNewestOneTimePassword(
  db: Database,
  memberId: number,
): Promise<{ serial: number; createdAtMs: number } | undefined> {
  const { oneTimePasswords } = db.tables;
  const { serial, createdAtMs } = oneTimePasswords;
  const [row] = await db
    .select({ serial, createdAtMs })
    .from(oneTimePasswords)
    .where(eq(oneTimePasswords.memberId, memberId))
    .orderBy(desc(serial))
    .limit(1);
  return row;
}
