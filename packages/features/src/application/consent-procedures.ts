import { AppError } from '@gatehouse/auth-core';
import { findConsent, listConnectedApplications, removeConsent } from '@gatehouse/db/queries/consents';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { openedAccounts } from '../core/guard/account-access.js';
import { clientHost } from '../core/guard/client-host.js';
import { procedure } from '../core/guard/procedure.js';
import { applicationType } from './application-view.js';

/** What a member lets an application do. */
const consentView = z
  .object({
    id: z.int(),
    applicationId: z.int(),
    name: z.string(),
    type: z.enum([...applicationType.options, 'document']),
    /** The host of the document that describes the application; null for one that is registered. */
    host: z.string().nullable(),
    /** The account that publishes the application; null for one of the deployment. */
    publisherId: z.int().nullable(),
    /** The account that it acts in; null if it acts in none. */
    inAccountId: z.int().nullable(),
    /** Null where the account is closed, or needs a session of a higher level. */
    inAccountName: z.string().nullable(),
    /** The API of the product that it calls; null for this service. */
    api: z.object({ name: z.string(), origin: z.string() }).nullable(),
    scopes: z.array(z.string()).max(250),
    createdAt: z.iso.datetime(),
    /** When the member last agreed to something. */
    updatedAt: z.iso.datetime(),
    /** When the application last called this API for the member; null if it never did. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Consent' });

const applications = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: 'List the applications that one has let in' } })
  .input(listInput({}))
  .output(listView(consentView))
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const { memberId } = ctx.caller;
    const rows = await listConnectedApplications(ctx.services.db, { memberId, afterId, limit: limit + 1 });
    const { access } = ctx.services;
    const ids = [...new Set(rows.flatMap(({ accountId }) => (accountId === null ? [] : [accountId])))];
    const accounts = await access.accounts(await openedAccounts(ctx, access, ctx.caller, ids));
    return toPage(
      rows,
      limit,
      ({ id }) => [id],
      ({
        accountId,
        createdAtMs,
        updatedAtMs,
        lastUsedAtMs,
        id,
        applicationId,
        name,
        type,
        clientId,
        publisherId,
        api,
        scopes,
      }) => ({
        id,
        applicationId,
        name,
        type,
        host: clientHost(clientId) ?? null,
        publisherId,
        inAccountId: accountId,
        inAccountName: accounts.get(accountId ?? 0)?.name ?? null,
        api,
        scopes,
        createdAt: new Date(createdAtMs).toISOString(),
        updatedAt: new Date(updatedAtMs).toISOString(),
        lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
      }),
    );
  });

/** Takes back what a member let an application do. Its tokens open nothing from the next request on. */
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
      const { applicationId, accountId: inAccountId, resourceId, scopes } = consent;
      const record = {
        action: 'consent.withdrawn',
        ...(inAccountId === null ? {} : { accountId: inAccountId }),
        subjectKind: 'application',
        subjectId: applicationId,
        before: { scopes, inAccountId, ...(resourceId === null ? {} : { resourceId }) },
        after: null,
      };
      return { result: undefined, record };
    });
    return { message: 'The application can no longer act for you' };
  });

export const consentProcedures = { applications, withdraw };
