import { AppError } from '@gatehouse/auth-core';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { accountProcedure } from '../../core/guard/procedures.js';
import { roleView, roleViews } from './role-view.js';

/** The roles that members of the account can have: built-in ones first, then custom ones. */
export const list = accountProcedure('member.list')
  .meta({ about: { summary: 'List the roles of the account' } })
  .input(listInput({}))
  .output(listView(roleView))
  .query(async ({ ctx, input }) => {
    const { access, roles } = ctx.services;
    const account = await access.account(ctx.account.id);
    if (!account) throw new AppError('account_forbidden');
    const [shown] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = roleViews(roles, account).map((role, at) => ({ role, place: at + 1 }));
    const rest = rows.filter(({ place }) => place > shown).slice(0, input.limit + 1);
    return toPage(
      rest,
      input.limit,
      ({ place }) => [place],
      ({ role }) => role,
    );
  });
