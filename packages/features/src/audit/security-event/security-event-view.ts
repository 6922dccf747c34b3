import type { SecurityEventRow } from '@gatehouse/db';
import { z } from 'zod';

/** A security event of a member, as the member and staff see it. */
export const securityEventView = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** `login`, or the action in the audit log, as `password.changed`. */
  kind: z.string(),
  outcome: z.enum(['ok', 'failed', 'locked']),
  address: z.string().nullable(),
  /** The User-Agent. */
  device: z.string().nullable(),
  /** The number of refused logins from one address within one minute. */
  times: z.int(),
  /** The actor, if it was not the member. */
  actor: z.object({ userId: z.int(), name: z.string().nullable() }).nullable(),
});

export function toSecurityEventView(
  row: SecurityEventRow,
  memberId: number,
): z.output<typeof securityEventView> {
  const { id, kind, outcome, address, device, times, actorId, actorUsername } = row;
  const actor = actorId === null || actorId === memberId ? null : { userId: actorId, name: actorUsername };
  return { id, at: new Date(row.atMs).toISOString(), kind, outcome, address, device, times, actor };
}
