import type { Caller } from '@gatehouse/features/app/caller';
import type { Guarded } from '@gatehouse/features/app/guarded';
import { changeDecided } from '@gatehouse/features/audit/change-decided';
import type { PartnerChange } from '@gatehouse/features/partner/partner-change';

/**
 * Lets a member of staff change a partner. The audit log has its line with the change; the security log hears of it
 * once it is committed.
 */
export async function changeByStaff<Result>(
  ctx: Guarded<{ readonly caller: Caller }>,
  reason: string,
  change: (by: PartnerChange) => Promise<Result>,
): Promise<Result> {
  const { kit, call, caller } = ctx;
  const { address, requestId } = call;
  const by = { actorId: caller.memberId, address, requestId };
  const { cipher } = kit;
  const result = await changeDecided(ctx, {}, (db, nowMs) => change({ db, cipher, nowMs, by }));
  kit.log.security({ event: 'admin.change', requestId, address, actorId: caller.memberId, reason });
  return result;
}
