import type { Caller } from '../../app/caller.js';
import type { Guarded } from '../../app/guarded.js';
import { changeDecided } from '../../audit/change-decided.js';
import type { PartnerChange } from '../partner-change.js';

/**
 * Lets a member of staff change a partner. The audit log has its line with the change; the security log hears of it
 * once it is committed.
 */
export async function changeByStaff<Result>(
  ctx: Guarded<{ readonly caller: Caller }>,
  reason: string,
  change: (by: PartnerChange) => Promise<Result>,
): Promise<Result> {
  const { services, call, caller } = ctx;
  const { address, requestId } = call;
  const by = { actorId: caller.memberId, address, requestId };
  const { cipher } = services;
  const result = await changeDecided(ctx, {}, (db, nowMs) => change({ db, cipher, nowMs, by }));
  services.log.security({ event: 'admin.change', requestId, address, actorId: caller.memberId, reason });
  return result;
}
