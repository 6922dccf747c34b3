import { AppError } from '@gatehouse/auth-core';
import { setSsoConsent } from '@gatehouse/db/queries/sso-subjects';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure, procedure } from '../core/guard/procedure.js';
import { managedSsoView, readManagedSso } from './account-sso-view.js';
import { activateConnection, removeConnection, saveConnection } from './change-connections.js';
import { connectionView, toConnectionView } from './connection-view.js';
import { oidcInput, oidcSettingsFrom } from './oidc-settings.js';
import { MAX_METADATA_BYTES } from './read-saml-metadata.js';
import { newSamlKeys } from './saml-keys.js';
import { givenMetadata, samlInput, samlSettingsFrom } from './saml-settings.js';
import { domainProcedures } from './sso-domains.js';
import { policyProcedures } from './sso-policy.js';
import { beginTest, testResultOf, testView } from './test-runs.js';

const reading = accountProcedure('sso.manage', { inPerson: true });

const writing = accountProcedure('sso.manage', { inPerson: true, fresh: FRESH });

const connectionId = z.int().positive();

const list = reading
  .meta({ about: { summary: 'List the connections and domains of the account' } })
  .output(z.object({ data: managedSsoView }))
  .query(async ({ ctx }) => ({ data: await readManagedSso(ctx.services, ctx.account.id) }));

const saveOidc = writing
  .meta({
    about: {
      summary: 'Add or change a connection by OpenID Connect',
      refuses: ['not_found', 'limit_reached', 'url_not_allowed'],
    },
  })
  .input(oidcInput)
  .output(z.object({ data: connectionView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    if (input.issuer !== undefined && !(await services.outbound.accepts(input.issuer, 'public')))
      throw new AppError('url_not_allowed');
    const row = await saveConnection(ctx, {
      accountId: ctx.account.id,
      connectionId: input.connectionId,
      key: input.key,
      kind: 'oidc',
      name: input.name,
      settingsFrom: (key, before) => oidcSettingsFrom(services, input, { key, before }),
    });
    return { data: toConnectionView(services, row) };
  });

const saveSaml = writing
  .meta({
    about: {
      summary: 'Add or change a connection by SAML',
      maxBodyBytes: 2 * MAX_METADATA_BYTES,
      refuses: ['not_found', 'limit_reached', 'url_not_allowed'],
    },
  })
  .input(samlInput)
  .output(z.object({ data: connectionView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const given = await givenMetadata(services, input);
    const ownKeys = await newSamlKeys(services);
    const row = await saveConnection(ctx, {
      accountId: ctx.account.id,
      connectionId: input.connectionId,
      key: input.key,
      kind: 'saml',
      name: input.name,
      settingsFrom: (key, before) =>
        samlSettingsFrom(services, input, { given, before, secret: before?.secret ?? ownKeys(key) }),
    });
    return { data: toConnectionView(services, row) };
  });

const remove = writing
  .meta({ about: { summary: 'Remove a connection, and end its sessions', refuses: ['not_found'] } })
  .input(z.object({ connectionId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeConnection(ctx, { ...input, accountId: ctx.account.id });
    return { message: 'The connection is removed' };
  });

const activate = writing
  .meta({
    about: { summary: 'Switch a connection on or off', refuses: ['not_found', 'not_tested'] },
  })
  .input(z.object({ connectionId, active: z.boolean().default(true) }))
  .output(z.object({ data: connectionView }))
  .mutation(async ({ ctx, input }) => {
    const row = await activateConnection(ctx, { ...input, accountId: ctx.account.id });
    return { data: toConnectionView(ctx.services, row) };
  });

const test = writing
  .meta({ about: { summary: 'Begin the test of a connection', refuses: ['not_found'] } })
  .input(z.object({ connectionId }))
  .output(z.object({ data: z.object({ testId: z.int(), url: z.url() }) }))
  .mutation(async ({ ctx, input }) => ({
    data: await beginTest(ctx, { ...input, accountId: ctx.account.id }),
  }));

const testResult = reading
  .meta({ about: { summary: 'See what came of a test', refuses: ['not_found'] } })
  .input(z.object({ testId: z.coerce.number().int().positive() }))
  .output(z.object({ data: testView }))
  .query(async ({ ctx, input }) => ({
    data: await testResultOf(ctx, { ...input, accountId: ctx.account.id }),
  }));

/**
 * Lets the identity provider of an account sign the caller in for all their accounts, or withdraws that. It takes effect with the next
 * request, in existing sessions too.
 */
const consent = procedure({ who: 'member', inPerson: true, fresh: FRESH })
  .meta({
    about: { summary: "Let an account's identity provider sign one in everywhere", refuses: ['not_found'] },
  })
  .input(z.object({ accountId: z.int().positive(), consent: z.boolean().default(true) }))
  .output(z.object({ data: z.object({ accountId: z.int(), consented: z.boolean() }) }))
  .mutation(async ({ ctx, input: { accountId, consent: consents } }) => {
    const { memberId } = ctx.caller;
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
      if (!(await setSsoConsent(tx, { memberId, accountId, consents, nowMs })))
        throw new AppError('not_found');
      const subject = { subjectKind: 'member', subjectId: memberId, before: null };
      const record = { action: 'sso.consent', ...subject, after: { accountId, consented: consents } };
      return { result: undefined, record };
    });
    return { data: { accountId, consented: consents } };
  });

/** How an account signs in its people through their company's identity provider. */
export const ssoProcedures = {
  ...domainProcedures,
  ...policyProcedures,
  activate,
  consent,
  list,
  remove,
  saveOidc,
  saveSaml,
  test,
  testResult,
};
