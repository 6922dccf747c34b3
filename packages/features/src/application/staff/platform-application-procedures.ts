import { AppError, randomId } from '@gatehouse/auth-core';
import { listBlockedClientHosts, setClientHostBlocked } from '@gatehouse/db/queries/applications';
import { listConnectedApplications } from '@gatehouse/db/queries/consents';
import { takeTurn } from '@gatehouse/db/queries/take-turn';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import type { Context } from '../../core/context.js';
import { requireLevelsOf } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { clientHostName } from '../../core/guard/client-host.js';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import {
  applicationId,
  platformApplicationFields,
  platformApplicationView,
  secretView,
} from '../application-view.js';
import {
  addSecretOf,
  applicationDetailOf,
  blockApplicationOf,
  listApplicationsOf,
  removeApplicationOf,
  removeSecretOf,
  saveApplicationOf,
} from '../change-applications.js';
import { connectedApplicationView, toConnectedApplicationView } from '../connected-application-view.js';

const reads = staffProcedure('platformApp.manage');

const manages = staffProcedure('platformApp.manage', { fresh: FRESH });

const accountId = z.int().positive();

/** The account of the application. Without it, it is one of the deployment. */
const ofAccount = accountId.optional();

/**
 * Requires that the named account, if there is one, accepts the level of the caller's session.
 * @throws {AppError} `enrolment_required`, `verification_required`
 */
async function requireOpen(
  ctx: Context & { readonly caller: Caller },
  input: { readonly accountId?: number | undefined },
): Promise<{ readonly accountId: number | null }> {
  if (input.accountId === undefined) return { accountId: null };
  await requireLevelsOf(ctx, ctx.services.access, [input.accountId]);
  return { accountId: input.accountId };
}

const list = reads
  .meta({ about: { summary: 'List the applications of the deployment or of an account' } })
  .input(listInput({ accountId: ofAccount }))
  .output(listView(platformApplicationView))
  .query(async ({ ctx, input }) => {
    const { accountId } = await requireOpen(ctx, input);
    return listApplicationsOf(ctx, accountId, input);
  });

const detail = reads
  .meta({
    about: { summary: 'See an application of the deployment or of an account', refuses: ['not_found'] },
  })
  .input(z.object({ applicationId, accountId: ofAccount }))
  .output(z.object({ data: platformApplicationView.extend({ secrets: z.array(secretView).max(2) }) }))
  .query(async ({ ctx, input }) => {
    const { accountId } = await requireOpen(ctx, input);
    return { data: await applicationDetailOf(ctx, accountId, input.applicationId) };
  });

const save = manages
  .meta({
    about: {
      summary: 'Register or change an application of the deployment',
      refuses: ['not_found', 'limit_reached'],
    },
  })
  .input(
    z.object({
      /** The one to change. Without it a new one is registered, which needs a name and a type. */
      applicationId: applicationId.optional(),
      ...platformApplicationFields,
    }),
  )
  .output(z.object({ data: platformApplicationView }))
  .mutation(async ({ ctx, input }) => ({ data: await saveApplicationOf(ctx, input) }));

const remove = manages
  .meta({
    about: { summary: 'Remove an application of the deployment or of an account', refuses: ['not_found'] },
  })
  .input(z.object({ applicationId, accountId: ofAccount }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeApplicationOf(ctx, {
      accountId: input.accountId ?? null,
      applicationId: input.applicationId,
    });
    return { message: 'The application is removed' };
  });

/** A blocked application is not active. Once it is allowed again, its account decides whether to activate it. */
const block = manages
  .meta({
    about: { summary: 'Block an application of an account, or allow it again', refuses: ['not_found'] },
  })
  .input(z.object({ accountId, applicationId, blocked: z.boolean() }))
  .output(z.object({ data: platformApplicationView }))
  .mutation(async ({ ctx, input }) => ({ data: await blockApplicationOf(ctx, input) }));

const addSecret = manages
  .meta({
    about: {
      summary: 'Give an application of the deployment a secret',
      refuses: ['not_found', 'limit_reached'],
    },
  })
  .input(z.object({ applicationId }))
  .output(z.object({ data: secretView, /** The secret, this once. */ secret: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { view, secret } = await addSecretOf(ctx, input.applicationId);
    return { data: view, secret };
  });

const removeSecret = manages
  .meta({
    about: { summary: 'Remove a secret of an application of the deployment', refuses: ['not_found'] },
  })
  .input(z.object({ applicationId, secretId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeSecretOf(ctx, input);
    return { message: 'The secret is removed' };
  });

const connected = reads
  .meta({
    about: { summary: 'List the applications that act for a member, or in an account for its members' },
  })
  .input(
    listInput({
      memberId: z.int().positive().optional(),
      /** Counts if there is no member. */
      accountId: ofAccount,
    }),
  )
  .output(listView(connectedApplicationView))
  .query(async ({ ctx, input }) => {
    const { cursor, limit, memberId } = input;
    const { accountId } = await requireOpen(ctx, input);
    if (memberId === undefined && accountId === null)
      throw new AppError('invalid_input', {
        issues: [{ path: 'memberId', message: 'is required without an account' }],
      });
    const to = memberId === undefined ? { accountId: accountId ?? 0 } : { memberId };
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const rows = await listConnectedApplications(ctx.services.db, { to, afterId, limit: limit + 1 });
    return toPage(rows, limit, ({ id }) => [id], toConnectedApplicationView);
  });

const blockedHosts = reads
  .meta({
    about: { summary: 'List the hosts whose documents describe no application, because staff blocked them' },
  })
  .input(listInput({}))
  .output(
    listView(
      z
        .object({ host: z.string(), createdById: z.int(), createdAt: z.iso.datetime() })
        .meta({ id: 'BlockedClientHost' }),
    ),
  )
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const [afterId] = openCursor(cursor, idCursor) ?? [0];
    const rows = await listBlockedClientHosts(ctx.services.db, { afterId, limit: limit + 1 });
    return toPage(
      rows,
      limit,
      ({ id }) => [id],
      ({ host, createdById, createdAtMs }) => ({
        host,
        createdById,
        createdAt: new Date(createdAtMs).toISOString(),
      }),
    );
  });

/** Applications that documents of a blocked host describe are refused from the next request on. */
const blockHost = manages
  .meta({ about: { summary: 'Block a host of client documents, or allow it again' } })
  .input(z.object({ host: clientHostName, blocked: z.boolean() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { host, blocked } }) => {
    await changeAndRecord(ctx, {}, async ({ tx, nowMs, caller: { memberId: byId } }) => {
      await takeTurn(tx, 'client-hosts', randomId());
      const changed = await setClientHostBlocked(tx, { host, blocked, byId, nowMs });
      const record = {
        action: blocked ? 'client-host.blocked' : 'client-host.allowed',
        subjectKind: 'clientHost',
        subjectId: host,
        before: { blocked: !blocked },
        after: { blocked },
      };
      return { result: undefined, record: changed ? record : undefined };
    });
    return { message: blocked ? 'The host is blocked' : 'The host is allowed again' };
  });

/** The applications of the deployment, and what staff do about those of accounts. */
export const platformApplicationProcedures = {
  addSecret,
  block,
  blockedHosts,
  blockHost,
  connected,
  detail,
  list,
  remove,
  removeSecret,
  save,
};
