import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';
import type { SecurityOutcome } from '../../tables/security-events.js';
import { LONGEST_DEVICE } from '../../tables/sessions.js';

const MINUTE_MS = 60_000;

/** Whose events those are that nobody has: a failure for an unknown login name costs what one for a known one does. */
export const NOBODY_ID = 0;

/** A login that was refused. */
export interface RefusedLogin {
  memberId: number | undefined;
  /** Tells login names that nobody has apart; at most 64 characters. */
  nameDigest: string;
  outcome: Exclude<SecurityOutcome, 'ok'>;
  address: string;
  device: string;
  nowMs: number;
}

/** Notes a refused login; those of one address in one minute are one event, which counts them. */
export async function recordRefusedLogin(db: Database, login: RefusedLogin): Promise<void> {
  const { securityEvents } = db.tables;
  const { memberId = NOBODY_ID, outcome, address, device, nowMs } = login;
  const holder = login.memberId ?? login.nameDigest;
  const mergeKey = `${holder}:${outcome}:${Math.floor(nowMs / MINUTE_MS)}:${address}`;
  const count = () =>
    db.write(
      db
        .update(securityEvents)
        .set({ times: sql`${securityEvents.times} + 1` })
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
