import { AppError, type Roles } from '@gatehouse/auth-core';
import {
  searchManagers as findManagers,
  listGrantsOfStaff,
  listPersonnel,
} from '@gatehouse/db/queries/list-personnel';
import { findPersonnel } from '@gatehouse/db/queries/personnel';
import { listPersonnelGrants, type PersonnelGrantRow } from '@gatehouse/db/queries/personnel-grants';
import type { MemberDetail } from '@gatehouse/db/queries/read-members';
import { idCursor, listView, openCursor, searchInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { baseRoleView, roleWithoutBan } from '../../core/authority/base-role.js';
import { isInScope } from '../../core/guard/account-access.js';
import { procedure } from '../../core/guard/procedure.js';
import { changedMemberView, memberView, toChangedMemberView, toMemberView } from '../../core/member-view.js';
import { peopleSearch, searchPage } from '../../core/search-page.js';

/** A member of staff, with the accounts granted to them. */
export const personnelView = changedMemberView.extend({
  /** False if they are disabled: they are then not staff, and their grants have no effect. */
  active: z.boolean(),
  baseRole: baseRoleView,
  grants: z.array(z.object({ accountId: z.int(), accountName: z.string(), active: z.boolean() })),
});

export function toPersonnelView(
  row: MemberDetail,
  grants: readonly PersonnelGrantRow[],
  { roles, nowMs }: { readonly roles: Roles; readonly nowMs: number },
): z.output<typeof personnelView> {
  return {
    active: row.isPersonnel,
    baseRole: roleWithoutBan(roles, row),
    grants: [...grants],
    ...toChangedMemberView(row, nowMs),
  };
}

/**
 * Staff with their grants, including those who were switched off. Staff who do not reach all accounts see themselves and
 * colleagues who share a grant with them, and only these grants.
 */
export const listPersonnelForStaff = procedure({
  who: 'staff',
  permission: 'personnel.read',
  inAccounts: true,
})
  .meta({ about: { summary: 'List staff with their grants' } })
  .input(searchInput)
  .output(listView(personnelView.extend({ lastLoginAt: z.iso.datetime().nullable() })))
  .query(async ({ ctx, input: { search, limit, cursor } }) => {
    const { db, now, roles } = ctx.services;
    const nowMs = now();
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const page = { askerId: ctx.caller.memberId, afterId, limit: limit + 1 };
    const rows = await listPersonnel(db, ctx.scope, { ...page, ...peopleSearch(search) });
    const grants = await listGrantsOfStaff(
      db,
      ctx.scope,
      rows.slice(0, limit).map(({ id }) => id),
    );
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (row) => ({
        lastLoginAt: row.lastLoginAtMs === null ? null : new Date(row.lastLoginAtMs).toISOString(),
        ...toPersonnelView(
          row,
          grants.filter(({ personnelId }) => personnelId === row.id),
          { roles, nowMs },
        ),
      }),
    );
  });

/**
 * A member of staff with their grants. Callers who do not reach all accounts see themselves and colleagues
 * with a grant for one of their accounts, and only these grants.
 */
export const personnelDetail = procedure({ who: 'staff', permission: 'personnel.read', inAccounts: true })
  .input(z.object({ personnelId: z.number().int().positive() }))
  .output(z.object({ data: personnelView }))
  .query(async ({ ctx, input: { personnelId } }) => {
    const { services, scope, caller } = ctx;
    const [row, grants] = await Promise.all([
      findPersonnel(services.db, personnelId),
      listPersonnelGrants(services.db, personnelId),
    ]);
    const shared = grants.filter(({ accountId }) => isInScope(scope, accountId));
    const isVisible = scope.all || shared.length > 0 || personnelId === caller.memberId;
    if (!row || !isVisible) throw new AppError('not_found');
    return { data: toPersonnelView(row, shared, { roles: services.roles, nowMs: services.now() }) };
  });

/** The account managers and designers with a membership or a grant in the caller's accounts. */
export const searchManagers = procedure({ who: 'staff', permission: 'personnel.read', inAccounts: true })
  .input(searchInput)
  .output(listView(memberView))
  .query(({ ctx, input }) => {
    const { accountManager, designer } = ctx.services.roles.id;
    const who = { askerId: ctx.caller.memberId, roleTypes: [accountManager, designer] };
    const nowMs = ctx.services.now();
    const people = peopleSearch(input.search);
    return searchPage(
      ctx,
      input,
      (page) => findManagers(ctx.services.db, ctx.scope, { ...who, ...people }, page),
      (row) => toMemberView(row, nowMs),
    );
  });
