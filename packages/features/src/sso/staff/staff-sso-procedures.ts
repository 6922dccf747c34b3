import { AppError } from '@gatehouse/auth-core';
import { listSsoConnections, PLATFORM, type SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { FRESH } from '../../core/guard/freshness.js';
import { publicProcedure, staffProcedure } from '../../core/guard/procedure.js';
import { limitPerAddress } from '../../core/rate-limit/count-attempt.js';
import { activateConnection, removeConnection, saveConnection } from '../change-connections.js';
import type { StoredSettings } from '../connection-secrets.js';
import {
  connectionUrls,
  connectionView,
  MAX_CONNECTIONS,
  nextConnectionKey,
  nextConnectionView,
  toConnectionView,
  toNextConnectionView,
} from '../connection-view.js';
import { provableDomain } from '../domain-rules.js';
import { oidcInput, oidcSettingsFrom } from '../oidc-settings.js';
import { MAX_METADATA_BYTES } from '../read-saml-metadata.js';
import { newSamlKeys } from '../saml-keys.js';
import { givenMetadata, samlInput, samlSettingsFrom } from '../saml-settings.js';
import { MAX_DOMAINS } from '../sso-domains.js';
import { beginTest, testResultOf, testView } from '../test-runs.js';

const reading = staffProcedure('platformSso.manage');

const writing = staffProcedure('platformSso.manage', { fresh: FRESH });

/** Applies only to members of an account: staff have their roles from other staff. */
const OF_ACCOUNTS = { roleMap: true, defaultRole: true, justInTime: true, idpLevel: true } as const;

const domains = z.array(z.string().min(1).max(254)).min(1).max(MAX_DOMAINS);

const view = connectionView
  .omit(OF_ACCOUNTS)
  .extend({
    /** In ASCII. Staff with proven addresses in them are signed in when the identity provider first names one. */
    domains: z.array(z.string()).max(MAX_DOMAINS),
  })
  .meta({ id: 'StaffSsoConnection' });

function toView(services: Pick<Services, 'config'>, row: SsoConnection): z.output<typeof view> {
  return { ...toConnectionView(services, row), domains: [...(row.settings.domains ?? [])] };
}

/**
 * The canonical form of the domains that a change names; undefined if it names none.
 * @throws {AppError} `domain_not_allowed` for a public suffix, and for a public mailbox host
 */
async function readDomains(given: readonly string[] | undefined): Promise<readonly string[] | undefined> {
  if (given === undefined) return undefined;
  const read = new Set<string>();
  for (const each of given) {
    const domain = await provableDomain(each);
    if (domain === undefined) throw new AppError('domain_not_allowed');
    read.add(domain);
  }
  return [...read].toSorted();
}

/** Settings with the domains of a change, or those that they had. */
function withDomains(
  { settings, secret }: StoredSettings,
  given: readonly string[] | undefined,
  before: StoredSettings | undefined,
): StoredSettings {
  const named = given ?? before?.settings.domains;
  if (named === undefined)
    throw new AppError('invalid_input', { issues: [{ path: 'domains', message: 'is missing' }] });
  return { settings: { ...settings, domains: named }, secret };
}

const list = reading
  .meta({ about: { summary: 'List the connections by which staff sign in' } })
  .output(
    z.object({
      data: z.object({
        connections: z.array(view).max(MAX_CONNECTIONS),
        /** The values to enter at the identity provider for the next one; null if the maximum is reached. */
        next: nextConnectionView.nullable(),
      }),
    }),
  )
  .query(async ({ ctx: { services } }) => {
    const rows = await listSsoConnections(services.db, PLATFORM);
    const key = nextConnectionKey(services, PLATFORM, rows);
    const isFull = rows.length >= MAX_CONNECTIONS;
    return {
      data: {
        connections: rows.map((row) => toView(services, row)),
        next: isFull ? null : toNextConnectionView(services, { key, accountId: PLATFORM }),
      },
    };
  });

const saveOidc = writing
  .meta({
    about: {
      summary: 'Add or change a connection by OpenID Connect for staff',
      refuses: ['not_found', 'limit_reached', 'url_not_allowed', 'domain_not_allowed'],
    },
  })
  .input(oidcInput.omit(OF_ACCOUNTS).extend({ domains: domains.optional() }))
  .output(z.object({ data: view }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    if (input.issuer !== undefined && !(await services.outbound.accepts(input.issuer, 'public')))
      throw new AppError('url_not_allowed');
    const named = await readDomains(input.domains);
    const row = await saveConnection(ctx, {
      accountId: PLATFORM,
      connectionId: input.connectionId,
      key: input.key,
      kind: 'oidc',
      name: input.name,
      settingsFrom: (key, before) =>
        withDomains(oidcSettingsFrom(services, input, { key, before }), named, before),
    });
    return { data: toView(services, row) };
  });

const saveSaml = writing
  .meta({
    about: {
      summary: 'Add or change a connection by SAML for staff',
      maxBodyBytes: 2 * MAX_METADATA_BYTES,
      refuses: ['not_found', 'limit_reached', 'url_not_allowed', 'domain_not_allowed'],
    },
  })
  .input(samlInput.omit(OF_ACCOUNTS).extend({ domains: domains.optional() }))
  .output(z.object({ data: view }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const given = await givenMetadata(services, input);
    const named = await readDomains(input.domains);
    const ownKeys = await newSamlKeys(services);
    const row = await saveConnection(ctx, {
      accountId: PLATFORM,
      connectionId: input.connectionId,
      key: input.key,
      kind: 'saml',
      name: input.name,
      settingsFrom: (key, before) => {
        const secret = before?.secret ?? ownKeys(key);
        return withDomains(samlSettingsFrom(services, input, { given, before, secret }), named, before);
      },
    });
    return { data: toView(services, row) };
  });

const connectionId = z.int().positive();

const activate = writing
  .meta({
    about: {
      summary: 'Switch a connection for staff on or off; off ends its sessions',
      refuses: ['not_found', 'not_tested'],
    },
  })
  .input(z.object({ connectionId, active: z.boolean().default(true) }))
  .output(z.object({ data: view }))
  .mutation(async ({ ctx, input }) => {
    const row = await activateConnection(ctx, { ...input, accountId: PLATFORM });
    return { data: toView(ctx.services, row) };
  });

const remove = writing
  .meta({ about: { summary: 'Remove a connection for staff, and end its sessions', refuses: ['not_found'] } })
  .input(z.object({ connectionId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeConnection(ctx, { ...input, accountId: PLATFORM });
    return { message: 'The connection is removed' };
  });

const test = writing
  .meta({ about: { summary: 'Begin the test of a connection for staff', refuses: ['not_found'] } })
  .input(z.object({ connectionId }))
  .output(z.object({ data: z.object({ testId: z.int(), url: z.url() }) }))
  .mutation(async ({ ctx, input }) => ({ data: await beginTest(ctx, { ...input, accountId: PLATFORM }) }));

const staffTestView = testView
  .extend({ mapping: testView.shape.mapping.unwrap().omit({ roleType: true }).nullable() })
  .meta({ id: 'StaffSsoTest' });

const testResult = reading
  .meta({ about: { summary: 'See what came of a test', refuses: ['not_found'] } })
  .input(z.object({ testId: z.coerce.number().int().positive() }))
  .output(z.object({ data: staffTestView }))
  .query(async ({ ctx, input }) => ({ data: await testResultOf(ctx, { ...input, accountId: PLATFORM }) }));

const LOOKS_A_MINUTE = 60;

/** The connections that the sign-in page offers, to everybody who opens it. */
const offered = publicProcedure
  .meta({
    about: { summary: 'See by which identity providers staff may sign in', refuses: ['rate_limited'] },
  })
  .output(
    z.object({
      data: z.array(z.object({ name: z.string(), startUrl: z.string() })).max(MAX_CONNECTIONS),
    }),
  )
  .query(async ({ ctx }) => {
    const { services } = ctx;
    await limitPerAddress(ctx, { name: 'staff-sso', most: LOOKS_A_MINUTE, windowMs: 60_000 });
    const rows = await listSsoConnections(services.db, PLATFORM);
    const on = rows.filter(({ live }) => live !== null);
    return {
      data: on.map((row) => ({ name: row.name, startUrl: connectionUrls(services, row).start })),
    };
  });

/** How staff sign in through an identity provider of their own. */
export const staffSsoProcedures = {
  activate,
  list,
  offered,
  remove,
  saveOidc,
  saveSaml,
  test,
  testResult,
};
