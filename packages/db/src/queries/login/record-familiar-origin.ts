import { and, eq, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareWrite } from '../prepared.js';

type Origin = { memberId: number; originKey: string; nowMs: number };

const refresh = prepareWrite<Origin>((db) => {
  const { loginFamiliarity } = db.tables;
  const { memberId, originKey, lastSuccessAtMs } = loginFamiliarity;
  return db
    .update(loginFamiliarity)
    .set({ lastSuccessAtMs: given(lastSuccessAtMs, 'nowMs') })
    .where(and(eq(memberId, given(memberId, 'memberId')), eq(originKey, given(originKey, 'originKey'))));
});

/** Records that a member has just signed in from a place. True if they did before, as far as that is remembered. */
export async function recordFamiliarOrigin(tx: Database, origin: Origin): Promise<boolean> {
  if ((await refresh(tx, origin)) > 0) return true;
  const { memberId, originKey, nowMs } = origin;
  await tx.insertOnce(tx.tables.loginFamiliarity, { memberId, originKey, lastSuccessAtMs: nowMs });
  return false;
}

type Pair = { memberId: number; one: string; other: string; nowMs: number };

const refreshBoth = prepareWrite<Pair>((db) => {
  const { loginFamiliarity } = db.tables;
  const { memberId, originKey, lastSuccessAtMs } = loginFamiliarity;
  const isOne = or(eq(originKey, given(originKey, 'one')), eq(originKey, given(originKey, 'other')));
  return db
    .update(loginFamiliarity)
    .set({ lastSuccessAtMs: given(lastSuccessAtMs, 'nowMs') })
    .where(and(eq(memberId, given(memberId, 'memberId')), isOne));
});

/** Records two places of one sign-in. Returns whether each was known. */
export async function recordFamiliarOrigins(
  tx: Database,
  { memberId, one, other, nowMs }: Pair,
): Promise<readonly [boolean, boolean]> {
  if ((await refreshBoth(tx, { memberId, one, other, nowMs })) === 2) return [true, true];
  return [
    await recordFamiliarOrigin(tx, { memberId, originKey: one, nowMs }),
    await recordFamiliarOrigin(tx, { memberId, originKey: other, nowMs }),
  ];
}
