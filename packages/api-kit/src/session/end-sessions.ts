import { changeAccess, endSession, insertAudit } from '@gatehouse/db';
import type { Caller } from '../access/caller.js';
import type { Context } from '../context.js';

/** Ends the session a call came with, durably: the revocation is committed before the answer. */
export async function endCallerSession(ctx: Context, caller: Caller): Promise<void> {
  const { kit, call } = ctx;
  const nowMs = kit.now();
  await changeAccess(kit.db, { atMs: nowMs, members: [caller.memberId] }, async (tx) => {
    await endSession(tx, { tokenKey: caller.session.tokenKey, expiresAtMs: caller.session.expiresAtMs, nowMs });
    await insertAudit(tx, {
      atMs: nowMs,
      action: 'session.ended',
      actorId: caller.memberId,
      subjectKind: 'session',
      subjectId: caller.session.id ?? null,
      address: call.address,
      requestId: call.requestId,
    });
  });
  kit.log.security({
    event: 'token.revoked',
    requestId: call.requestId,
    address: call.address,
    actorId: caller.memberId,
    memberId: caller.memberId,
  });
}
