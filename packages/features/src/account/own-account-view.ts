import type { Roles } from '@gatehouse/auth-core';
import type { AccountDetail } from '@gatehouse/db';
import { z } from 'zod';
import type { MemberSnapshot } from '../core/access/access-reader.js';

/** An account as its members see it. */
export const ownAccountView = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Whether it is open, or closed and restorable. */
    state: z.enum(['live', 'closed']),
    /** The role of the caller there, and its label. */
    roleType: z.int(),
    role: z.string(),
    customRoleId: z.int().nullable(),
    isPrimaryOwner: z.boolean(),
    createdAt: z.iso.datetime(),
    /** When the data of a closed account is erased. */
    erasedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'OwnAccount' });

export type OwnAccountView = z.output<typeof ownAccountView>;

/** The role of a member in an account, open or closed. */
export interface OwnRole {
  readonly roleType: number;
  readonly role: string;
  readonly customRoleId: number | null;
}

/** The role of a member in an account, open or closed. */
export function ownRole(roles: Roles, member: MemberSnapshot, accountId: number): OwnRole {
  const custom = member.customRoles.get(accountId);
  if (custom) return { roleType: custom.roleType, role: custom.name, customRoleId: custom.id };
  const roleType = member.memberships.get(accountId) ?? roles.id.archived;
  return { roleType, role: roles.labelOf(roleType), customRoleId: null };
}

export function toOwnAccountView(account: AccountDetail, memberId: number, role: OwnRole): OwnAccountView {
  const { id, name, ownerId, isDeleted, erasesAtMs, createdAtMs } = account;
  return {
    id,
    name,
    state: isDeleted ? 'closed' : 'live',
    ...role,
    isPrimaryOwner: ownerId === memberId,
    createdAt: new Date(createdAtMs).toISOString(),
    erasedAt: erasesAtMs === null ? null : new Date(erasesAtMs).toISOString(),
  };
}
