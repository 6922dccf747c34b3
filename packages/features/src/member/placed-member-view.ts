import type { AccountState, ListedMember } from '@gatehouse/db';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { memberView, toMemberView } from '../core/member-view.js';

/** A member with their membership in the selected account; null if none is selected or they are not in it. */
export const placedMemberView = memberView
  .extend({
    accountRole: z.int().nullable(),
    accountRoleLabel: z.string().nullable(),
    customRoleId: z.int().nullable(),
    isPrimaryOwner: z.boolean().nullable(),
    joinedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PlacedMember' });

/** A member in a list; `account` is the selected one. */
export function toPlacedMemberView(
  { roles, now }: Pick<Services, 'roles' | 'now'>,
  account: AccountState | undefined,
): (row: ListedMember) => z.output<typeof placedMemberView> {
  const nowMs = now();
  return (row) => {
    const { accountRoleType, customRoleId = null, joinedAtMs } = row;
    if (account === undefined || accountRoleType === undefined || joinedAtMs === undefined) {
      return {
        accountRole: null,
        accountRoleLabel: null,
        customRoleId: null,
        isPrimaryOwner: null,
        joinedAt: null,
        ...toMemberView(row, nowMs),
      };
    }
    const custom = account.customRoles.find(({ id }) => id === customRoleId);
    return {
      accountRole: custom?.roleType ?? accountRoleType,
      accountRoleLabel: custom?.name ?? roles.labelOf(accountRoleType),
      customRoleId,
      isPrimaryOwner: account.ownerId === row.id,
      joinedAt: new Date(joinedAtMs).toISOString(),
      ...toMemberView(row, nowMs),
    };
  };
}
