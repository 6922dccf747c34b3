import type { Roles } from '@gatehouse/auth-core';
import type { PlaceRow } from '@gatehouse/db/queries/member-places';
import { z } from 'zod';

/** The maximum length of a list on a page. */
export const MAX_SHOWN = 50;

/** A list of a page: its beginning, and how many there are in all. */
export interface SomeOf<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** Counts a list only if it is longer than its first page, of which one extra row was read. */
export async function someOf<Row>(
  rows: readonly Row[],
  count: () => number | Promise<number>,
): Promise<SomeOf<Row>> {
  if (rows.length <= MAX_SHOWN) return { rows, count: rows.length };
  return { rows: rows.slice(0, MAX_SHOWN), count: await count() };
}

/** A member's place in an account, as staff see it. */
export const placeView = z.object({
  accountId: z.int(),
  accountName: z.string(),
  /** Whether the account is open, or closed. */
  accountState: z.enum(['live', 'closed']),
  roleType: z.int(),
  role: z.string(),
  customRoleId: z.int().nullable(),
  isPrimaryOwner: z.boolean(),
  /** False while it is switched off, and once the member was deleted. */
  active: z.boolean(),
  joinedAt: z.iso.datetime(),
});

export function toPlaceView(row: PlaceRow, roles: Roles, memberId: number): z.output<typeof placeView> {
  const roleType = row.customRoleType ?? row.roleType;
  return {
    accountId: row.accountId,
    accountName: row.accountName,
    accountState: row.isClosed ? 'closed' : 'live',
    roleType,
    role: row.customRoleName ?? roles.labelOf(roleType),
    customRoleId: row.customRoleId,
    isPrimaryOwner: row.ownerId === memberId,
    active: row.active && !row.hasEnded,
    joinedAt: new Date(row.joinedAtMs).toISOString(),
  };
}
