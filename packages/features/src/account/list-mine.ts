import { accountLevelAt, decideAccess } from '@gatehouse/auth-core';
import { listOwnAccounts } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import type { MemberSnapshot } from '../core/access/access-reader.js';
import type { Context } from '../core/context.js';
import { memberProcedure } from '../core/guard/procedures.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-account-view.js';

/** The caller's accounts, including closed ones that can be restored, without those that need a session of a higher level. */
export const listMine = memberProcedure
  .meta({ about: { summary: "List one's accounts" } })
  .input(listInput({}))
  .output(listView(ownAccountView))
  .query(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { actor, memberships } = caller.member;
    const states = await services.access.accounts([...memberships.keys()]);
    const nowMs = services.now();
    const accountIds = [...memberships.keys()].filter(
      (id) =>
        accountLevelAt(states.get(id), nowMs) <= caller.session.level &&
        (actor === undefined || knows(services, actor, id)),
    );
    const rows = await listOwnAccounts(services.db, accountIds, {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      ({ id }) => [id],
      (row) => toOwnAccountView(row, caller.memberId, ownRole(services.roles, caller.member, row.id)),
    );
  });

/** Whether staff who act for a member may see an account of theirs, closed ones included. */
function knows({ roles }: Context['services'], actor: MemberSnapshot, accountId: number): boolean {
  return decideAccess(roles, actor, { accountId, account: { isDeleted: false } }).access !== 'none';
}
