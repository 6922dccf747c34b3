import type { SecurityEventRow } from '@gatehouse/db';
import { z } from 'zod';

/** What happened to the security of a member, for themselves and for staff. */
export const securityEventView = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** `login`, or what was done in the words of the audit log, as `password.changed`. */
  kind: z.string(),
  outcome: z.enum(['ok', 'failed', 'locked']),
  address: z.string().nullable(),
  /** The User-Agent. */
  device: z.string().nullable(),
  /** How many refused logins of one address in one minute this is. */
  times: z.int(),
  /** Who did it, where it was not the member. */
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
