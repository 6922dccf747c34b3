import type { Roles } from '@gatehouse/auth-core';
import type { PlaceRow } from '@gatehouse/db';
import { z } from 'zod';

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
