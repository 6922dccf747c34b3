import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { changeDecided } from '../../audit/change-decided.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Guarded } from '../../core/guard/guarded.js';
import { recordExportedAccounts } from './record-exported-accounts.js';

const HOUR_MS = 3_600_000;

/** The calls that were counted. A slow read is repeated within its call and counts as the same export. */
const counted = new WeakSet<object>();

/**
 * Counts the start of an export, one an hour for each member, and adds it to the audit logs of the accounts it is from.
 * @throws {AppError} `rate_limited`
 */
export async function countExport(ctx: Guarded<{ readonly caller: Caller }>): Promise<void> {
  const { services, call } = ctx;
  const { memberId } = ctx.caller;
  if (counted.has(call)) return;
  const limit = { key: `export:${memberId}`, name: 'export', most: 1, windowMs: HOUR_MS };
  await enforceLimit(services, limit);
  await changeDecided(ctx, {}, (tx, nowMs, { caller }) =>
    recordExportedAccounts(tx, ctx, { memberId, caller, nowMs }),
  );
  counted.add(call);
}
