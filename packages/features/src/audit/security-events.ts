import { sha256Hex } from '@gatehouse/auth-core';
import {
  listSecurityEvents,
  type RefusedKind,
  recordRefusedLogin,
  removeOldSecurityEvents,
  type SecurityEventRow,
} from '@gatehouse/db/queries/security-event-log';
import { countLogins } from '@gatehouse/db/queries/statistic-counters';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { procedure } from '../core/guard/procedure.js';
import { personName } from '../core/member-view.js';

/** A security event of a member, as the member and staff see it. */
export const securityEventView = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /**
   * `login`, or the action in the audit log, as `password.changed`. A wrong password or code has `verification` where it was
   * to confirm who one is, and `factor.setup` where it was to add an authenticator app.
   */
  kind: z.string(),
  outcome: z.enum(['ok', 'failed', 'locked']),
  address: z.string().nullable(),
  /** The User-Agent. */
  device: z.string().nullable(),
  /** The number of refused passwords or codes from one address within one minute. */
  times: z.int(),
  /** The actor, if it was not the member. */
  actor: z.object({ userId: z.int(), name: z.string().nullable() }).nullable(),
});

export function toSecurityEventView(
  row: SecurityEventRow,
  memberId: number,
): z.output<typeof securityEventView> {
  const { id, kind, outcome, address, device, times, actorId, actorUsername: username } = row;
  const { actorFirstName: firstName, actorLastName: lastName } = row;
  const name =
    username === null ? null : personName({ firstName: firstName ?? '', lastName: lastName ?? '', username });
  const actor = actorId === null || actorId === memberId ? null : { userId: actorId, name };
  return { id, at: new Date(row.atMs).toISOString(), kind, outcome, address, device, times, actor };
}

/** The caller's security events of the last 90 days, newest first. */
export const listMySecurityEvents = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: "List what happened to one's security" } })
  .input(listInput({}))
  .output(listView(securityEventView))
  .query(async ({ ctx, input: { limit, cursor } }) => {
    const { memberId } = ctx.caller;
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const rows = await listSecurityEvents(ctx.services.db, memberId, { limit: limit + 1, beforeId });
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (row) => toSecurityEventView(row, memberId),
    );
  });

const DAY_MS = 86_400_000;

const KEPT_DAYS = 90;

const AT_ONCE = 500;

/** Removes events after 90 days, and refused logins under unknown names after a day. */
export const securityEventRetention: Job<Services> = {
  name: 'security-event-retention',
  everyMs: 600_000,
  async run(services) {
    // Events not counted yet would be lost.
    while ((await countLogins(services.db, AT_ONCE)) > 0);
    return removeOldSecurityEvents(services.db, {
      beforeMs: services.now() - KEPT_DAYS * DAY_MS,
      nobodyBeforeMs: services.now() - DAY_MS,
      limit: AT_ONCE,
    });
  },
};

const WINDOW_MS = 15 * 60_000;

const MEMBERS = 20;

/** Records a refused password or code as a security event of the intended member, or without a member. */
export async function recordRefusal(
  { services, call }: Context,
  {
    login,
    ...refusal
  }: {
    readonly memberId: number | undefined;
    /** The login name in the request. */
    readonly login: string;
    readonly outcome: 'failed' | 'locked';
    /** What it was sent for; a sign-in if absent. */
    readonly kind?: RefusedKind | undefined;
  },
): Promise<void> {
  await recordRefusedLogin(services.db, {
    ...refusal,
    nameDigest: sha256Hex(login).slice(0, 32),
    address: call.address,
    device: call.userAgent ?? '',
    nowMs: services.now(),
  });
  await watchSpraying({ services, call }, refusal.memberId === undefined ? login : String(refusal.memberId));
}

/** Counts the members that one address fails for, and logs it at the twentieth of a quarter of an hour. */
async function watchSpraying({ services, call }: Context, holder: string): Promise<void> {
  const network = networkOf(call.address);
  const consume = async (key: string, most: number) =>
    (await services.limits.consume({ key: `spraying:${key}`, most, windowMs: WINDOW_MS })).isAllowed;
  const digest = sha256Hex(holder).slice(0, 32);
  if (!(await consume(`${network}:${digest}`, 1))) return;
  if (await consume(network, MEMBERS - 1)) return;
  if (!(await consume(`${network}:told`, 1))) return;
  services.log.security({ event: 'login.spraying', requestId: call.requestId, address: call.address });
}
