import { changeDecided } from '../../audit/change-decided.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Guarded } from '../../core/guard/guarded.js';
import type { PartnerChange } from '../partner-change.js';

/**
 * Lets a staff member change a partner. The audit line is in the same transaction; the security log follows
 * after the commit.
 */
export async function changeByStaff<Result>(
  ctx: Guarded<{ readonly caller: Caller }>,
  reason: string,
  change: (by: PartnerChange) => Promise<Result>,
): Promise<Result> {
  const { services, call, caller } = ctx;
  const { address, requestId } = call;
  const actorId = caller.memberId;
  const result = await changeDecided(ctx, {}, (db, nowMs) => change({ db, services, call, nowMs, actorId }));
  services.log.security({ event: 'admin.change', requestId, address, actorId, reason });
  return result;
}
