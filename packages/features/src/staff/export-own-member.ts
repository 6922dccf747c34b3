import type { Database } from '@gatehouse/db/database';
import { listLiveMemberships } from '@gatehouse/db/queries/memberships';
import { listWithheldAccounts } from '@gatehouse/db/queries/own-records';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import type { Caller } from '../core/guard/caller.js';
import { FRESH } from '../core/guard/freshness.js';
import type { Guarded } from '../core/guard/guarded.js';
import { procedure } from '../core/guard/procedure.js';
import { exportCursor, exportedPage, exportingSession, placeIn, readExportedPage } from './exported-page.js';

/**
 * Adds a line to the audit log of each account whose content an export of a member has, in the caller's transaction: the
 * accounts that the member is in and that the session opens.
 */
export async function recordExportedAccounts(
  tx: Database,
  ctx: Pick<Context, 'services' | 'call'>,
  { memberId, caller, nowMs }: { memberId: number; caller: Caller; nowMs: number },
): Promise<void> {
  const places = await listLiveMemberships(tx, memberId);
  const session = await exportingSession(tx, { services: ctx.services, caller }, memberId);
  const withheld = await listWithheldAccounts(tx, { memberId, ...session, limit: Number.MAX_SAFE_INTEGER });
  for (const { accountId } of places) {
    if (withheld.includes(accountId)) continue;
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'account.exported',
      actorId: caller.memberId,
      onBehalfOfId: memberId,
      accountId,
      subjectKind: 'account',
      subjectId: accountId,
    });
  }
}

const HOUR_MS = 3_600_000;

/** The calls that were counted. A slow read is repeated within its call and is counted as the same export. */
const counted = new WeakSet<object>();

/**
 * Counts the start of an export, one an hour for each member, and adds it to the audit logs of the accounts it is from.
 * @throws {AppError} `rate_limited`
 */
async function countExport(ctx: Guarded<{ readonly caller: Caller }>): Promise<void> {
  const { services, call } = ctx;
  const { memberId } = ctx.caller;
  if (counted.has(call)) return;
  const limit = { key: `export:${memberId}`, name: 'export', most: 1, windowMs: HOUR_MS };
  await enforceLimit(services, limit);
  await change(ctx, {}, ({ tx, nowMs, caller }) =>
    recordExportedAccounts(tx, ctx, { memberId, caller, nowMs }),
  );
  counted.add(call);
}

/** The caller's own data that we hold, 1,000 records a page; one export an hour, and no secret. */
export const exportMyself = procedure({ who: 'member', inPerson: true, fresh: FRESH })
  .meta({ about: { summary: 'Export all that is held of oneself', refuses: ['rate_limited'] } })
  .input(z.strictObject({ cursor: exportCursor }).prefault({}))
  .output(exportedPage)
  .query(async ({ ctx, input: { cursor } }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const place = placeIn(services.cipher, memberId, cursor);
    // A cursor of an older export begins a new one.
    if (place === undefined || services.now() >= place.startedAtMs + HOUR_MS) await countExport(ctx);
    return readExportedPage(ctx, memberId, place);
  });
