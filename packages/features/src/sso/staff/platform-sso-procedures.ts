import { listAllSsoConnections, listSsoConnectionsOf } from '@gatehouse/db/queries/all-sso-connections';
import { idCursor, listView, openCursor, searchFilters, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import type { Context } from '../../core/context.js';
import { everyAccount, requireLevelsOf } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { accountSsoView, readAccountSso } from '../account-sso-view.js';
import { connectionView } from '../connection-view.js';

const reads = staffProcedure('platformSso.manage');

const detail = reads
  .meta({ about: { summary: 'See how an account signs in its people by their company' } })
  .input(z.object({ accountId: z.int().positive() }))
  .output(z.object({ data: accountSsoView }))
  .query(async ({ ctx, input: { accountId } }) => {
    await requireLevelsOf(ctx, ctx.services.access, [accountId]);
    return { data: await readAccountSso(ctx.services, accountId) };
  });

/** Certificates that end within this time end soon: the owners get their first mail then. */
const ENDING_WITHIN_MS = 30 * 86_400_000;

const listed = connectionView
  .pick({ id: true, name: true, kind: true, active: true, hasChanges: true })
  .extend({
    accountId: z.int(),
    accountName: z.string(),
    /** Whether only sessions of the account's connections reach it. */
    required: z.boolean(),
    /** As the identity provider names itself. */
    issuer: z.string(),
    /** When the last certificate of its signing keys ends; null for a connection without any. */
    certificatesEndAt: z.iso.datetime().nullable(),
    /** What was wrong when the metadata was last fetched, in words. */
    metadataProblem: z.string().nullable(),
  });

const endCursor = z.tuple([z.int(), z.int()]);

const list = reads
  .meta({ about: { summary: 'List the connections of all accounts with their identity providers' } })
  .input(
    searchFilters({
      state: z.enum(['on', 'changed', 'off', 'ending']).optional(),
      kind: z.enum(['oidc', 'saml']).optional(),
      /** The newest first, or those with certificates by the end of the last of these. */
      sort: z.enum(['-id', 'certificatesEndAt']).default('-id'),
    }),
  )
  .output(listView(listed))
  .query(async ({ ctx, input: { search, state, kind, sort, limit, cursor } }) => {
    const { services } = ctx;
    const byCertificate = sort === 'certificatesEndAt';
    const asked = {
      search,
      state,
      kind,
      endingByMs: services.now() + ENDING_WITHIN_MS,
      except: await hiddenAccounts(ctx),
      limit: limit + 1,
    };
    const rows = await listAllSsoConnections(services.db, asked, {
      byCertificate,
      after: byCertificate ? afterEnd(cursor) : afterId(cursor),
    });
    const keyOf = ({ connection: { id, certificatesEndAtMs } }: (typeof rows)[number]) =>
      byCertificate ? [certificatesEndAtMs ?? 0, id] : [id];
    return toPage(rows, limit, keyOf, ({ connection, accountName, sso }) => {
      const { id, name, accountId, version, liveVersion } = connection;
      const settings = connection.live ?? connection.settings;
      return {
        id,
        name,
        kind: connection.kind,
        active: liveVersion !== null,
        hasChanges: liveVersion !== null && liveVersion !== version,
        accountId,
        accountName,
        required: sso?.required ?? false,
        issuer: settings.kind === 'oidc' ? settings.issuer : settings.entityId,
        certificatesEndAt: timeOf(connection.certificatesEndAtMs),
        metadataProblem: connection.metadataCheck?.problem ?? null,
      };
    });
  });

function afterEnd(cursor: string | null | undefined) {
  const [endsAtMs, id] = openCursor(cursor, endCursor) ?? [];
  return endsAtMs === undefined || id === undefined ? undefined : { endsAtMs, id };
}

function afterId(cursor: string | null | undefined) {
  const [id] = openCursor(cursor, idCursor) ?? [];
  return id === undefined ? undefined : { id };
}

/** The accounts that require a session of a higher level than the caller's. */
async function hiddenAccounts({
  services,
  caller,
}: Context & { readonly caller: Caller }): Promise<number[]> {
  const scope = await everyAccount(services.access, caller);
  return scope.all ? [...(scope.except ?? [])] : [];
}

const timeOf = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

const ofMember = z.object({
  connectionId: z.int(),
  name: z.string(),
  kind: connectionView.shape.kind,
  active: z.boolean(),
  accountId: z.int(),
  accountName: z.string(),
  /** Whether the account manages the member. */
  manages: z.boolean(),
  /** When the member agreed that its sessions reach their other accounts; null if they did not. */
  consentedAt: z.iso.datetime().nullable(),
  lastSignInAt: z.iso.datetime(),
});

const listFor = reads
  .meta({
    about: { summary: 'List the connections by which a member has signed in' },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ data: z.array(ofMember).max(100) }))
  .query(async ({ ctx, input: { memberId } }) => {
    const { db } = ctx.services;
    const rows = await listSsoConnectionsOf(db, { memberId, except: await hiddenAccounts(ctx) });
    const data = rows.map(({ liveVersion, managedByAccountId, consentedAtMs, lastSignInAtMs, ...row }) => ({
      ...row,
      active: liveVersion !== null,
      manages: managedByAccountId === row.accountId,
      consentedAt: timeOf(consentedAtMs),
      lastSignInAt: new Date(lastSignInAtMs).toISOString(),
    }));
    return { data };
  });

/** What staff see of the identity providers of accounts. */
export const platformSsoProcedures = { detail, list, listFor };
