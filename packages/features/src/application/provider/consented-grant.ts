import { createHmac } from 'node:crypto';
import { AppError, randomId } from '@gatehouse/auth-core';
import {
  type ApplicationRow,
  countDocumentsOf,
  findClient,
  insertApplication,
  isClientHostBlocked,
  setApplication,
} from '@gatehouse/db/queries/applications';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { type ConsentRow, listConsentsTo, saveConsent } from '@gatehouse/db/queries/consents';
import { takeTurn } from '@gatehouse/db/queries/take-turn';
import type { Grant, KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import type { Context, Services } from '../../core/context.js';
import { clientHost } from '../../core/guard/client-host.js';
import { type GrantFacts, grantFacts } from '../../core/guard/grant-standing.js';
import { OPENID_SCOPES } from '../application-scopes.js';
import { findAskedResource } from './find-asked-resource.js';
import { contextOf } from './provider-context.js';
import { findVisitor, requireVisitor, type Visitor } from './visitor.js';

/** The maximum number of applications described by documents that one member may be the first to approve. */
const MAX_DOCUMENTS = 100;

/**
 * Stores what the visitor agreed to, or that no question was needed.
 * @returns the ids of the consent and of the application
 * @throws {AppError} `unauthorized` if the visitor has just left the account, or staff have blocked the host of the application's
 * document; `limit_reached` if the visitor was the first to approve too many applications that documents describe
 */
export function recordConsent(
  ctx: Context,
  given: {
    readonly application: ApplicationRow;
    readonly inAccountId: number | null;
    /** The API of the product that it calls; null for this service. */
    readonly resourceId: number | null;
    readonly scopes: readonly string[];
    /** What the person was asked for. */
    readonly asked: readonly string[];
  },
): Promise<{ readonly consentId: number; readonly applicationId: number }> {
  const { application, asked, inAccountId, resourceId } = given;
  const scopes = [...given.scopes];
  const members = ctx.call.facts.memberId === undefined ? [] : [ctx.call.facts.memberId];
  return changeAndRecord(
    { ...ctx, authorize: requireVisitor },
    // Tokens of an earlier agreement have no more than this one.
    { announce: { members } },
    async ({ tx, nowMs, caller: { memberId, member } }) => {
      // They may have been removed since the page was read.
      if (inAccountId !== null && !member.memberships.has(inAccountId)) throw new AppError('unauthorized');
      const applicationId = await applicationOf(tx, application, { memberId, nowMs });
      const wanted = { memberId, applicationId, accountId: inAccountId, resourceId, scopes, asked };
      const consentId = await saveConsent(tx, { ...wanted, nowMs });
      const host = clientHost(application.clientId);
      const record = {
        action: 'consent.given',
        ...(inAccountId === null ? {} : { accountId: inAccountId }),
        subjectKind: 'application',
        subjectId: applicationId,
        before: null,
        after: {
          name: application.name,
          ...(host === undefined ? {} : { host }),
          scopes,
          inAccountId,
          ...(resourceId === null ? {} : { resourceId }),
        },
      };
      return { result: { consentId, applicationId }, record };
    },
  );
}

/** The id of an application. The row of one that a document describes becomes what its member has just consented to. */
async function applicationOf(
  tx: AccessTransaction,
  application: ApplicationRow,
  { memberId, nowMs }: { readonly memberId: number; readonly nowMs: number },
): Promise<number> {
  const host = clientHost(application.clientId);
  if (host === undefined) return application.id;
  await takeTurn(tx, 'client-hosts', randomId());
  if (await isClientHostBlocked(tx, host)) throw new AppError('unauthorized');
  const { id: _id, blocked: _blocked, createdAtMs: _createdAtMs, ...described } = application;
  const known = await findClient(tx, application.clientId);
  if (known === undefined) {
    // A host can describe any number of applications, and each is a row.
    if ((await countDocumentsOf(tx, memberId)) >= MAX_DOCUMENTS) throw new AppError('limit_reached');
    return insertApplication(tx, { ...described, createdById: memberId, nowMs });
  }
  const { clientId: _clientId, accountId: _accountId, createdById: _createdById, ...fields } = described;
  if (changedFields({ ...known }, { ...fields }))
    await setApplication(tx, { id: known.id, ...fields, nowMs });
  return known.id;
}

/** What an application gets by a consent. */
interface Consented {
  readonly provider: OidcProvider;
  readonly visitor: Visitor;
  readonly application: ApplicationRow;
  readonly consentId: number;
  /** The account that it acts in; null for none. */
  readonly inAccountId: number | null;
  readonly scopes: readonly string[];
  /** What the person was asked for. */
  readonly asked: readonly string[];
  /** The resource indicators of the request (RFC 8707). */
  readonly resources: readonly string[];
  readonly nowMs: number;
}

/**
 * Stores what an application gets. It ends with the visitor's session, and is the one that the application has in it, unless they
 * agreed to `offline_access`.
 * @returns its id
 */
export async function saveGrant(services: Pick<Services, 'config'>, consented: Consented): Promise<string> {
  const { provider, visitor, application, consentId, inAccountId, scopes, asked, resources, nowMs } =
    consented;
  const isLasting = scopes.includes('offline_access');
  const facts: GrantFacts = {
    memberId: visitor.memberId,
    applicationId: application.id,
    consentId,
    inAccountId,
    publisherId: application.accountId,
    familyId: isLasting ? null : visitor.familyId,
    sessionEpoch: visitor.member.sessionEpoch,
    level: visitor.session.level,
    grantedAtMs: nowMs,
  };
  const id = isLasting ? undefined : sessionGrantId(services, { consentId, familyId: visitor.familyId });
  const known = id === undefined ? undefined : await provider.Grant.find(id);
  const named = { accountId: String(visitor.memberId), clientId: application.clientId };
  const isAbout = (scope: string) => OPENID_SCOPES.has(scope);
  const withKnown = (before: string, added: readonly string[]) => {
    const kept = before.split(' ').filter((scope) => scope !== '' && !asked.includes(scope));
    return [...new Set([...kept, ...added])].join(' ');
  };
  function make(jti?: string): Grant {
    const grant = new provider.Grant({ ...named, ...facts, ...(jti === undefined ? {} : { jti }) });
    grant.addOIDCScope(withKnown(known?.getOIDCScope() ?? '', scopes.filter(isAbout)));
    // What it may do at our API by an earlier request stays, even if this request does not name the API.
    for (const resource of new Set([...Object.keys(known?.resources ?? {}), ...resources])) {
      const api = scopes.filter((scope) => !isAbout(scope));
      grant.addResourceScope(resource, withKnown(known?.getResourceScope(resource) ?? '', api));
      // Otherwise the person would be asked again at once.
      const denied = asked.filter((scope) => !isAbout(scope) && !scopes.includes(scope));
      if (denied.length > 0) grant.rejectResourceScope(resource, denied.join(' '));
    }
    return grant;
  }
  if (id === undefined) return make().save();
  const grant = make(id);
  if (known !== undefined && isAsBefore(known, grant)) return id;
  await grant.save();
  // It was revoked, because a code was used twice.
  return (await provider.Grant.find(id)) === undefined ? make().save() : id;
}

/** A grant is written again after this, so that it lives on while it is used. */
const WRITTEN_AGAIN_AFTER_MS = 3_600_000;

/** Whether a grant need not be written again, which every node would have to read. */
function isAsBefore(known: Grant, grant: Grant): boolean {
  const [before, now] = [known, grant].map((each) => grantFacts.parse(each).grantedAtMs);
  const isRecent = now !== undefined && before !== undefined && now - before < WRITTEN_AGAIN_AFTER_MS;
  return isRecent && contentOf(known) === contentOf(grant);
}

/** What a grant gives, and what it depends on. */
function contentOf(grant: Grant): string {
  const { grantedAtMs: _, ...facts } = grantFacts.parse(grant);
  const { openid, resources, rejected } = grant;
  const scopesOf = (scope = '') => scope.split(' ').filter((each) => each !== '');
  const given = [{ openid: openid?.scope ?? '' }, resources ?? {}, rejected?.resources ?? {}].map((each) =>
    Object.entries(each).flatMap(([api, scope]) => scopesOf(scope).map((one) => `${api} ${one}`)),
  );
  return JSON.stringify([facts, ...given.map((each) => each.toSorted())]);
}

/** The grant that follows from a consent and a session: one, however many requests ask for it at once. */
function sessionGrantId(
  { config }: Pick<Services, 'config'>,
  { consentId, familyId }: { readonly consentId: number; readonly familyId: number },
): string {
  return createHmac('sha256', config.SESSION_SECRET)
    .update(`oauth-grant:${consentId}:${familyId}`)
    .digest('base64url');
}

/**
 * The grant of an authorization request without asking: the one that was just agreed to, the one that the application has in this
 * session, or a new one by an earlier consent. Undefined where the visitor must be asked.
 */
export async function rememberedGrant(
  services: Services,
  koa: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { access, db, now } = services;
  const { client, params, prompts, provider, requestParamOIDCScopes, result, session } = koa.oidc;
  const agreed = result?.consent?.grantId;
  if (agreed !== undefined) {
    const grant = await provider.Grant.find(agreed);
    // Somebody else may have signed in meanwhile.
    return grant?.accountId === session?.accountId ? grant : undefined;
  }
  if (client === undefined || session === undefined) return undefined;
  // An app on the visitor's device may be any app there, so they are asked each time (RFC 8252, section 8.6).
  if (client.applicationType === 'native' || prompts.has('consent') || prompts.has('select_account'))
    return undefined;
  const application = await findClient(db, client.clientId);
  const visitor = await findVisitor(contextOf(koa), access);
  if (application === undefined || visitor === undefined) return undefined;
  const resources = Object.keys(koa.oidc.resourceServers ?? {});
  const scopes = [...requestParamOIDCScopes, ...askedApiScopes(koa)];
  const [resource] = resources;
  const api = resource === undefined ? undefined : await findAskedResource(services, resource, application);
  const resourceId = api?.id ?? null;
  const consents = await listConsentsTo(db, { memberId: visitor.memberId, applicationId: application.id });
  const wanted = typeof params?.['account'] === 'string' ? Number(params['account']) : undefined;
  const isAsked = !application.skipConsent || actsInAccount(scopes);
  const consent =
    chosenConsent(consents, { scopes, account: wanted, resourceId }) ??
    (isAsked ? undefined : await unaskedConsent(contextOf(koa), { application, resourceId, scopes }));
  if (consent === undefined) return undefined;
  const given = { provider, visitor, application, scopes, asked: scopes, resources, nowMs: now() };
  const id = await saveGrant(services, { ...given, consentId: consent.id, inAccountId: consent.accountId });
  return provider.Grant.find(id);
}

/** The consent to an application of the deployment for which nobody is asked. Members see it among theirs, and can withdraw it. */
async function unaskedConsent(
  ctx: Context,
  given: Pick<Parameters<typeof recordConsent>[1], 'application' | 'resourceId' | 'scopes'>,
) {
  const { consentId } = await recordConsent(ctx, { ...given, inAccountId: null, asked: given.scopes });
  return { id: consentId, accountId: null };
}

/** Whether an application with these scopes acts in one account, which its member chooses. */
export function actsInAccount(scopes: readonly string[]): boolean {
  return scopes.some((scope) => scope === 'account' || !OPENID_SCOPES.has(scope));
}

/** What an authorization request asks for at an API. */
function askedApiScopes({ oidc }: KoaContextWithOIDC): string[] {
  const [server] = Object.values(oidc.resourceServers ?? {});
  return server === undefined ? [] : [...oidc.requestParamScopes].filter((scope) => server.scopes.has(scope));
}

/** The consent that covers the requested scopes, if it is clear which. */
function chosenConsent(
  consents: readonly ConsentRow[],
  {
    scopes,
    account,
    resourceId,
  }: {
    readonly scopes: readonly string[];
    readonly account: number | undefined;
    readonly resourceId: number | null;
  },
): ConsentRow | undefined {
  const isInAccount = actsInAccount(scopes);
  const fitting = consents.filter((consent) => {
    const isThere = isInAccount ? consent.accountId !== null : consent.accountId === null;
    const isNamed = !isInAccount || account === undefined || consent.accountId === account;
    // Consent for one API is not valid for another.
    if (consent.resourceId !== resourceId) return false;
    return isThere && isNamed && scopes.every((scope) => consent.scopes.includes(scope));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
