import type { Caller, Context, PartnerChange } from '@gatehouse/api-kit';

/**
 * Lets a member of staff change a partner. The audit log has its line with the change; the security log hears of it
 * once it is committed.
 */
export async function changeByStaff<Result>(
  ctx: Context & { readonly caller: Caller },
  reason: string,
  change: (by: PartnerChange) => Promise<Result>,
): Promise<Result> {
  const { kit, call, caller } = ctx;
  const { address, requestId } = call;
  const by = { actorId: caller.memberId, address, requestId };
  const result = await change({ db: kit.db, cipher: kit.cipher, nowMs: kit.now(), by });
  kit.log.security({ event: 'admin.change', requestId, address, actorId: caller.memberId, reason });
  return result;
}
