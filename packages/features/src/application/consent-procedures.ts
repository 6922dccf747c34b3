import { AppError } from '@gatehouse/auth-core';
import { findConsent, listConnectedApplications, removeConsent } from '@gatehouse/db/queries/consents';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { consentWithdrawal } from '../audit/consent-withdrawal.js';
import { openedAccounts } from '../core/guard/account-access.js';
import { accountProcedure, procedure } from '../core/guard/procedure.js';
import {
  connectedApplicationView,
  consentView,
  toConnected,
  toConnectedApplicationView,
} from './connected-application-view.js';

const applications = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: 'List the applications that one has let in' } })
  .input(listInput({}))
  .output(listView(consentView))
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const { memberId } = ctx.caller;
    const rows = await listConnectedApplications(ctx.services.db, {
      to: { memberId },
      afterId,
      limit: limit + 1,
    });
    const { access } = ctx.services;
    const ids = [...new Set(rows.flatMap(({ accountId }) => (accountId === null ? [] : [accountId])))];
    const accounts = await access.accounts(await openedAccounts(ctx, access, ctx.caller, ids));
    return toPage(
      rows,
      limit,
      ({ id }) => [id],
      (row) => ({ ...toConnected(row), inAccountName: accounts.get(row.accountId ?? 0)?.name ?? null }),
    );
  });

/** Withdraws a member's consent to an application, whose tokens are refused from the next request on. */
const withdraw = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: 'Remove an application that one has let in', refuses: ['not_found'] } })
  .input(z.object({ consentId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { consentId } }) => {
    const { memberId } = ctx.caller;
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx }) => {
      const consent = await findConsent(tx, consentId);
      if (consent === undefined || !(await removeConsent(tx, { id: consentId, memberId })))
        throw new AppError('not_found');
      return { result: undefined, record: consentWithdrawal(consent, memberId) };
    });
    return { message: 'The application can no longer act for you' };
  });

const listInAccount = accountProcedure('app.manage', { inPerson: true })
  .meta({ about: { summary: 'List the applications that act in the account for its members' } })
  .input(listInput({}))
  .output(listView(connectedApplicationView))
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const to = { accountId: ctx.account.id };
    const rows = await listConnectedApplications(ctx.services.db, { to, afterId, limit: limit + 1 });
    return toPage(rows, limit, ({ id }) => [id], toConnectedApplicationView);
  });

/** Withdraws the consent of a member of the account to an application there. They can consent again. */
const withdrawInAccount = accountProcedure('app.manage', { inPerson: true })
  .meta({
    about: {
      summary: 'Remove an application that a member has let into the account',
      refuses: ['not_found'],
    },
  })
  .input(z.object({ consentId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { consentId } }) => {
    // Whose it is, and where, never changes.
    const named = await findConsent(ctx.services.db, consentId);
    if (named?.accountId !== ctx.account.id) throw new AppError('not_found');
    const { memberId } = named;
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, caller }) => {
      const consent = await findConsent(tx, consentId);
      if (consent === undefined || !(await removeConsent(tx, { id: consentId, memberId })))
        throw new AppError('not_found');
      return { result: undefined, record: consentWithdrawal(consent, caller.memberId) };
    });
    return { message: 'The application can no longer act for the member' };
  });

export const consentProcedures = { applications, listInAccount, withdraw, withdrawInAccount };
