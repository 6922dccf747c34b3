import { AppError, type Roles } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { type AwayPlace, listAwayPlaces } from '@gatehouse/db/queries/returning-places';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { accountProcedure } from '../core/guard/procedure.js';
import { restorableSince } from './restore-own-member.js';

const awayMemberView = z
  .object({
    id: z.int(),
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().nullable(),
    /** Whether the member is deleted and may come back, or has come back and awaits an owner's approval. */
    state: z.enum(['deleted', 'waiting']),
    /** Whether they have access as soon as they come back. */
    comesBack: z.boolean(),
    /** Until when a member who deleted themselves can come back; null for others, and where staff prevented it. */
    restorableUntil: z.iso.datetime().nullable(),
    roleType: z.int(),
    role: z.string(),
    customRoleId: z.int().nullable(),
  })
  .meta({ id: 'AwayMember' });

/**
 * The members who have no access to the account now: those who are deleted and may come back to it, and those who came back and
 * await an owner's approval. `membership.changeRole` approves, and `membership.remove` removes either.
 */
export const listAwayMembers = accountProcedure('member.list')
  .meta({ about: { summary: 'List members who may come back' } })
  .input(listInput({}))
  .output(listView(awayMemberView))
  .query(async ({ ctx, input: { limit, cursor } }) => {
    const { db, roles, access, config, now } = ctx.services;
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const account = await access.account(ctx.account.id);
    if (account === undefined) throw new AppError('account_forbidden');
    const nowMs = now();
    const page = { afterId, limit: limit + 1, removedSinceMs: restorableSince(config, nowMs), nowMs };
    const rows = await listAwayPlaces(db, ctx.account.id, page);
    return toPage(
      rows,
      limit,
      ({ memberId }) => [memberId],
      (row) => toView(roles, account, row),
    );
  });

function toView(
  roles: Roles,
  { customRoles }: AccountState,
  place: AwayPlace,
): z.output<typeof awayMemberView> {
  const { memberId, username, firstName, lastName, email, roleType, customRoleId } = place;
  const restorableUntilMs = place.deletedById === null ? place.erasesAtMs : null;
  const custom = customRoles.find(({ id }) => id === customRoleId);
  return {
    id: memberId,
    username,
    firstName,
    lastName,
    email,
    state: place.isDeleted ? 'deleted' : 'waiting',
    comesBack: place.isDeleted && place.active,
    restorableUntil: restorableUntilMs === null ? null : new Date(restorableUntilMs).toISOString(),
    roleType: custom?.roleType ?? roleType,
    role: custom?.name ?? roles.labelOf(roleType),
    customRoleId,
  };
}
