import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';
import type { SecurityOutcome } from '../../tables/security-events.js';
import { LONGEST_DEVICE } from '../../tables/sessions.js';

const MINUTE_MS = 60_000;

/**
 * The owner of events without a member, so that a failed login costs the same for an unknown name as for a
 * known one.
 */
export const NOBODY_ID = 0;

/** A login that was refused. */
export interface RefusedLogin {
  memberId: number | undefined;
  /** Distinguishes unknown login names. At most 64 characters. */
  nameDigest: string;
  outcome: Exclude<SecurityOutcome, 'ok'>;
  address: string;
  device: string;
  nowMs: number;
}

/** Records a refused login. Refusals of one address within a minute are one event with a count. */
export async function recordRefusedLogin(db: Database, login: RefusedLogin): Promise<void> {
  const { securityEvents } = db.tables;
  const { memberId = NOBODY_ID, outcome, address, device, nowMs } = login;
  const holder = login.memberId ?? login.nameDigest;
  const mergeKey = `${holder}:${outcome}:${Math.floor(nowMs / MINUTE_MS)}:${address}`;
  const count = () =>
    db.write(
      db
        .update(securityEvents)
        .set({ times: sql`${securityEvents.times} + 1`, isCounted: false })
        .where(eq(securityEvents.mergeKey, mergeKey)),
    );
  if ((await count()) > 0) return;
  const isFirst = await db.insertOnce(securityEvents, {
    memberId,
    atMs: nowMs,
    kind: 'login',
    outcome,
    address,
    device: storableBeginning(device, LONGEST_DEVICE),
    mergeKey,
  });
  if (!isFirst) await count();
}
