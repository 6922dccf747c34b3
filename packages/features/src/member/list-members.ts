import { AppError, type Roles, searchTextSchema } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { listForeignIdsOf } from '@gatehouse/db/queries/foreign-ids';
import type { ListedMember } from '@gatehouse/db/queries/member-columns';
import { listMembers } from '@gatehouse/db/queries/member-lists';
import { findPlace } from '@gatehouse/db/queries/member-places';
import type { PlaceRoles } from '@gatehouse/db/queries/member-scope';
import { sharesAccount } from '@gatehouse/db/queries/memberships';
import { findMember } from '@gatehouse/db/queries/read-members';
import { searchPeople } from '@gatehouse/db/queries/search-people';
import { idCursor, listInput, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import {
  type AccountScope,
  reachAccount,
  reachableAccounts,
  selectedAccount,
} from '../core/guard/account-access.js';
import { accountProcedure, memberProcedure } from '../core/guard/procedure.js';
import { foreignIdsView, memberView, toMemberView } from '../core/member-view.js';
import { peopleSearch, searchPage } from '../core/search-page.js';

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

const MOST_ROLES = 50;

/** Filters members of the selected account by the names of their roles there, as `role.list` lists them. */
const ofRoles = { roles: z.array(z.string().max(200)).min(1).max(MOST_ROLES).optional() };

/**
 * The members of the selected account. Staff without a selected account get the members of all accounts they
 * reach.
 */
export const listAccountMembers = accountProcedure('member.list', { staffWithoutAccount: true })
  .input(listInput(ofRoles))
  .output(listView(placedMemberView))
  .query(async ({ ctx, input }) => {
    if (input.roles !== undefined) return findMembers(ctx, input, '');
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const page = { afterId, limit: input.limit + 1 };
    const rows = await listMembers(ctx.services.db, ctx.scope, page);
    const view = toPlacedMemberView(ctx.services, await selectedAccount(ctx));
    return toPage(rows, input.limit, (row) => [row.id], view);
  });

const memberDetailView = placedMemberView.extend({ foreignIds: foreignIdsView }).meta({ id: 'MemberDetail' });

/**
 * One member: the caller, or a member of an account where the caller may list members. For anybody else the
 * answer is as for a member who does not exist.
 */
export const memberDetail = memberProcedure
  .input(z.object({ userId: z.number().int().positive() }))
  .output(z.object({ data: memberDetailView }))
  .query(async ({ ctx, input }) => {
    const { services, caller, accountId } = ctx;
    const reached = accountId === null ? undefined : await reachAccount(ctx, caller, accountId);
    if (input.userId !== caller.memberId) {
      const scope = await reachableAccounts(ctx, caller, 'member.list');
      const isVisible = scope.all || (await sharesAccount(services.db, input.userId, scope.accountIds));
      if (!isVisible) throw new AppError('not_found');
    }
    const member = await findMember(services.db, input.userId);
    if (!member || member.isDeleted) throw new AppError('not_found');
    const isSelf = input.userId === caller.memberId;
    const seesPlaces = reached && (isSelf || reached.permissions.has('member.list'));
    const account = seesPlaces ? await services.access.account(reached.id) : undefined;
    const place =
      account && (await findPlace(services.db, { memberId: input.userId, accountId: account.id }));
    const foreignIds = await listForeignIdsOf(services.db, input.userId);
    return { data: { foreignIds, ...toPlacedMemberView(services, account)({ ...member, ...place }) } };
  });

/**
 * The members of the selected account, by words. Staff without a selected account search all accounts they reach.
 */
export const searchAccountMembers = accountProcedure('member.list', { staffWithoutAccount: true })
  .input(z.object({ username: searchTextSchema, ...ofRoles, ...pageInput }))
  .output(listView(placedMemberView))
  .query(({ ctx, input }) => findMembers(ctx, input, input.username));

/** One page of the members in scope by words, with one of the roles if any are named. */
async function findMembers(
  ctx: Context & { readonly scope: AccountScope },
  {
    roles: names,
    ...page
  }: { limit: number; cursor?: string | null | undefined; roles?: string[] | undefined },
  text: string,
) {
  const people = peopleSearch(text);
  const account = await selectedAccount(ctx);
  const roles = names && rolesNamed(ctx.services.roles, account, names);
  return searchPage(
    ctx,
    { ...page, findsAll: people.words.length === 0 && roles === undefined },
    (at) => searchPeople(ctx.services.db, ctx.scope, { ...people, roles }, at),
    toPlacedMemberView(ctx.services, account),
  );
}

/** @throws {AppError} `invalid_input` unless an account is selected, because only accounts have roles */
function rolesNamed(roles: Roles, account: AccountState | undefined, names: readonly string[]): PlaceRoles {
  if (account === undefined) {
    const message = 'needs the account that the header Accountid selects';
    throw new AppError('invalid_input', { issues: [{ path: 'roles', message }] });
  }
  return {
    builtIn: Object.values(roles.id).filter((roleType) => names.includes(roles.labelOf(roleType))),
    custom: account.customRoles.filter(({ name }) => names.includes(name)).map(({ id }) => id),
  };
}
