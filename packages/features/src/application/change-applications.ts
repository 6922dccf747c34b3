import {
  AppError,
  type InputIssue,
  isRedirectUri,
  makeOpaqueToken,
  parseUrl,
  randomId,
  sha256Hex,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  type ApplicationFields,
  type ApplicationRow,
  findApplication,
  insertApplication,
  insertApplicationSecret,
  listApplicationSecrets,
  listApplications,
  removeApplication,
  removeApplicationSecret,
  setApplication,
  setApplicationBlocked,
} from '@gatehouse/db/queries/applications';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findMachine } from '@gatehouse/db/queries/machines';
import { findResource } from '@gatehouse/db/queries/resources';
import { takeTurn } from '@gatehouse/db/queries/take-turn';
import type { ApplicationType } from '@gatehouse/db/tables/application-tables';
import { idCursor, openCursor, toPage } from '@gatehouse/http/page';
import { changeAndRecord, changedFields } from '../audit/change.js';
import type { Context, Services } from '../core/context.js';
import type { ReachedAccount } from '../core/guard/account-access.js';
import type { Caller } from '../core/guard/caller.js';
import type { Guarded } from '../core/guard/guarded.js';
import { applicationScopes, OPENID_SCOPES } from './application-scopes.js';
import { toApplicationView, toSecretView, type WantedApplication } from './application-view.js';
import { readClientKeys } from './client-keys.js';
import { redirectUriRules } from './redirect-uri-rules.js';

/** A call by somebody who manages the applications of the account or, without one, those of the deployment. */
type ApplicationContext = Guarded<{ readonly caller: Caller; readonly account?: ReachedAccount }>;

const MAX_APPLICATIONS = 50;

/** One signs in while its successor is rolled out. */
const MAX_SECRETS = 2;

const START_LENGTH = 12;

/** The types that can keep a secret. */
const WITH_SECRET: ReadonlySet<ApplicationType> = new Set(['web', 'machine']);

/** The types that browsers are sent back to. */
const WITH_REDIRECT: ReadonlySet<ApplicationType> = new Set(['web', 'spa', 'native']);

const NEW = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  jwks: null,
  jwksUri: null,
  scopes: ['openid'],
  resources: [],
  subjectType: 'public',
  active: true,
  machineId: null,
  skipConsent: false,
  pkceExempt: false,
} as const;

export async function listApplicationsOf(
  { services: { db } }: Context,
  accountId: number | null,
  { cursor, limit }: { readonly cursor?: string | null | undefined; readonly limit: number },
) {
  const [afterId] = openCursor(cursor, idCursor) ?? [0];
  const rows = await listApplications(db, { accountId, afterId, limit: limit + 1 });
  return toPage(rows, limit, ({ id }) => [id], toApplicationView);
}

/**
 * An application with its secrets.
 * @throws {AppError} `not_found`
 */
export async function applicationDetailOf(
  { services: { db } }: Context,
  accountId: number | null,
  applicationId: number,
) {
  const row = await findApplication(db, { id: applicationId, accountId });
  if (row === undefined) throw new AppError('not_found');
  const secrets = await listApplicationSecrets(db, applicationId);
  return { ...toApplicationView(row), secrets: secrets.map(toSecretView) };
}

/**
 * Registers or changes an application.
 * @throws {AppError} `not_found`, `limit_reached`, `invalid_input`
 */
export function saveApplicationOf(ctx: ApplicationContext, wanted: WantedApplication) {
  const { applicationId, ...given } = wanted;
  const accountId = ctx.account?.id ?? null;
  return changeAndRecord(ctx, subjectsOf(accountId), async ({ tx, nowMs, ...authorized }) => {
    await waitForOthers(tx, accountId);
    const before =
      applicationId === undefined ? undefined : await findApplication(tx, { id: applicationId, accountId });
    if (applicationId !== undefined && before === undefined) throw new AppError('not_found');
    if (before === undefined) {
      const page = { accountId, afterId: 0, limit: MAX_APPLICATIONS };
      if ((await listApplications(tx, page)).length === MAX_APPLICATIONS) throw new AppError('limit_reached');
    }
    const fields = fieldsOf(withReadKeys(given), before);
    const blocked = before?.blocked ?? false;
    const issues = await issuesIn(tx, authorized.services, { accountId, fields, blocked });
    if (issues.length > 0) throw new AppError('invalid_input', { issues });
    const changed = changedFields({ ...before }, { ...fields });
    const made = {
      clientId: before?.clientId ?? randomId(),
      createdById: before?.createdById ?? authorized.caller.memberId,
    };
    const id = before?.id ?? (await insertApplication(tx, { ...fields, ...made, accountId, nowMs }));
    if (before !== undefined && changed) await setApplication(tx, { id, ...fields, nowMs });
    const row = { ...fields, ...made, id, accountId, blocked, createdAtMs: before?.createdAtMs ?? nowMs };
    return {
      result: toApplicationView(row),
      record: changed && {
        action: before ? 'application.changed' : 'application.added',
        ...subjectOf(row),
        ...changed,
      },
    };
  });
}

/** The keys of an application as they are stored. */
function withReadKeys<Given extends Pick<WantedApplication, 'jwks'>>(given: Given): Given {
  if (!given.jwks) return given;
  const read = readClientKeys(given.jwks);
  if ('problem' in read) throw invalid(`jwks.keys.${read.at}`, read.problem);
  return { ...given, jwks: read };
}

/** The fields of an application after a change. Those of a new one have defaults. */
function fieldsOf(
  wanted: Omit<WantedApplication, 'applicationId'>,
  before: ApplicationRow | undefined,
): ApplicationFields {
  const { name, type } = { ...before, ...defined(wanted) };
  const missing = [...(name === undefined ? ['name'] : []), ...(type === undefined ? ['type'] : [])];
  if (name === undefined || type === undefined) {
    const issues = missing.map((path) => ({ path, message: 'This field is required' }));
    throw new AppError('invalid_input', { issues });
  }
  if (before !== undefined && type !== before.type)
    throw invalid('type', 'The type of an application never changes');
  const { redirectUris, postLogoutRedirectUris, scopes, resources, ...rest } = {
    ...NEW,
    ...before,
    ...defined(wanted),
  };
  return {
    name,
    type,
    redirectUris: unique(redirectUris),
    postLogoutRedirectUris: unique(postLogoutRedirectUris),
    backchannelLogoutUri: rest.backchannelLogoutUri,
    jwks: rest.jwks,
    jwksUri: rest.jwksUri,
    scopes: unique(scopes),
    resources: unique(resources),
    subjectType: rest.subjectType,
    active: rest.active,
    machineId: rest.machineId,
    skipConsent: rest.skipConsent,
    pkceExempt: rest.pkceExempt,
  };
}

function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, without those that are undefined
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_input', { issues: [{ path, message }] });
}

interface Judged {
  readonly accountId: number | null;
  readonly fields: ApplicationFields;
  readonly blocked: boolean;
}

const BAD_URI =
  'must be an https address such as https://app.example.com/callback, with its host in lower case and not at a host of this service';

const BAD_NATIVE_URI =
  'must be https at a named host, http at 127.0.0.1 or [::1], or a scheme such as com.example.app:/callback';

/** What is wrong with the fields of an application. */
async function issuesIn(tx: Database, services: Services, judged: Judged): Promise<InputIssue[]> {
  const { config, roles } = services;
  const { accountId, fields, blocked } = judged;
  const { type, redirectUris, postLogoutRedirectUris, machineId, jwks } = fields;
  const issues: InputIssue[] = [];
  const isNative = type === 'native';
  const rules = { isNative, ...redirectUriRules(config) };
  for (const [path, uris] of Object.entries({ redirectUris, postLogoutRedirectUris }))
    for (const [at, uri] of uris.entries())
      if (!isRedirectUri(uri, rules))
        issues.push({ path: `${path}.${at}`, message: isNative ? BAD_NATIVE_URI : BAD_URI });
  for (const path of ['backchannelLogoutUri', 'jwksUri'] as const) {
    const uri = fields[path];
    if (uri !== null && !isRedirectUri(uri, { ...rules, isNative: false }))
      issues.push({ path, message: BAD_URI });
  }
  const keys = jwks === null ? 'jwksUri' : 'jwks';
  if (fields[keys] !== null && !WITH_SECRET.has(type))
    issues.push({ path: keys, message: 'is only for applications of type web or machine' });
  if (jwks !== null && fields.jwksUri !== null)
    issues.push({ path: 'jwksUri', message: 'An application has keys, or the address of them' });
  if (WITH_REDIRECT.has(type) && redirectUris.length === 0)
    issues.push({ path: 'redirectUris', message: 'must have one address or more' });
  const known = applicationScopes(roles);
  for (const [at, scope] of fields.scopes.entries())
    if (!known.has(scope)) issues.push({ path: `scopes.${at}`, message: 'There is no such scope' });
  for (const [at, origin] of fields.resources.entries())
    if (origin !== config.BASE_URL && (await findResource(tx, { origin })) === undefined)
      issues.push({ path: `resources.${at}`, message: 'There is no such API' });
  if (blocked && fields.active)
    issues.push({ path: 'active', message: 'The staff of the service have blocked this application' });
  if (fields.subjectType === 'pairwise' && new Set(redirectUris.map((uri) => parseUrl(uri)?.host)).size !== 1)
    issues.push({ path: 'subjectType', message: 'Pairwise subjects need redirect URIs at one host' });
  const learnsIds = fields.resources.length > 0 || fields.scopes.some((scope) => !OPENID_SCOPES.has(scope));
  if (fields.subjectType === 'pairwise' && learnsIds)
    issues.push({ path: 'subjectType', message: 'Applications that call an API learn the ids of members' });
  if (fields.pkceExempt && type !== 'web')
    issues.push({ path: 'pkceExempt', message: 'is only for applications of type web' });
  if (type === 'machine' && machineId === null)
    issues.push({ path: 'machineId', message: 'This field is required' });
  if (type !== 'machine' && machineId !== null)
    issues.push({ path: 'machineId', message: 'is only for applications of type machine' });
  if (machineId !== null && (await findMachine(tx, { id: machineId, accountId })) === undefined)
    issues.push({ path: 'machineId', message: 'There is no such machine' });
  return issues;
}

/** An application by its id, of an account or of the deployment. */
interface NamedApplication {
  readonly accountId: number | null;
  readonly applicationId: number;
}

/**
 * Removes an application, with its secrets.
 * @throws {AppError} `not_found`
 */
export function removeApplicationOf(
  ctx: ApplicationContext,
  { accountId, applicationId }: NamedApplication,
): Promise<void> {
  return changeAndRecord(ctx, subjectsOf(accountId), async ({ tx, nowMs }) => {
    await waitForOthers(tx, accountId);
    const before = await findApplication(tx, { id: applicationId, accountId });
    if (before === undefined) throw new AppError('not_found');
    await removeApplication(tx, { id: applicationId, nowMs });
    const { name, type } = before;
    const record = {
      action: 'application.removed',
      ...subjectOf(before),
      before: { name, type },
      after: null,
    };
    return { result: undefined, record };
  });
}

/**
 * Blocks an application of an account, which then cannot activate it, or allows it again.
 * @throws {AppError} `not_found`
 */
export function blockApplicationOf(
  ctx: ApplicationContext,
  { accountId, applicationId, blocked }: NamedApplication & { readonly blocked: boolean },
) {
  return changeAndRecord(ctx, subjectsOf(accountId), async ({ tx, nowMs }) => {
    const row = await findApplication(tx, { id: applicationId, accountId });
    if (row === undefined) throw new AppError('not_found');
    const after = { ...row, blocked, active: row.active && !blocked };
    const changed = changedFields({ ...row }, after);
    if (changed) await setApplicationBlocked(tx, { id: applicationId, blocked, nowMs });
    return {
      result: toApplicationView(after),
      record: changed && {
        action: blocked ? 'application.blocked' : 'application.allowed',
        ...subjectOf(row),
        ...changed,
      },
    };
  });
}

/**
 * Gives an application another secret, which the answer has once.
 * @throws {AppError} `not_found`, `limit_reached`, `invalid_input` for a type that cannot keep a secret
 */
export function addSecretOf(ctx: ApplicationContext, applicationId: number) {
  const accountId = ctx.account?.id ?? null;
  return changeAndRecord(ctx, subjectsOf(accountId), async ({ tx, nowMs, caller }) => {
    await waitForOthers(tx, accountId);
    const application = await findApplication(tx, { id: applicationId, accountId });
    if (application === undefined) throw new AppError('not_found');
    if (!WITH_SECRET.has(application.type))
      throw invalid('applicationId', 'Applications of this type cannot keep a secret');
    if (application.jwks !== null || application.jwksUri !== null)
      throw invalid('applicationId', 'This application proves with its keys who it is');
    if ((await listApplicationSecrets(tx, applicationId)).length >= MAX_SECRETS)
      throw new AppError('limit_reached');
    const secret = makeOpaqueToken('clientSecret');
    const start = secret.slice(0, START_LENGTH);
    const row = { applicationId, start, createdById: caller.memberId, createdAtMs: nowMs };
    const id = await insertApplicationSecret(tx, { ...row, digest: sha256Hex(secret) });
    return {
      result: { secret, view: toSecretView({ ...row, id, lastUsedAtMs: null }) },
      record: {
        action: 'application.secret-added',
        ...subjectOf(application),
        before: null,
        after: { secretId: id },
      },
    };
  });
}

/**
 * Removes a secret of an application, which is refused from the next request on.
 * @throws {AppError} `not_found`
 */
export function removeSecretOf(
  ctx: ApplicationContext,
  { applicationId, secretId }: { readonly applicationId: number; readonly secretId: number },
): Promise<void> {
  const accountId = ctx.account?.id ?? null;
  return changeAndRecord(ctx, subjectsOf(accountId), async ({ tx }) => {
    await waitForOthers(tx, accountId);
    const application = await findApplication(tx, { id: applicationId, accountId });
    if (application === undefined) throw new AppError('not_found');
    if (!(await removeApplicationSecret(tx, { id: secretId, applicationId })))
      throw new AppError('not_found');
    const record = {
      action: 'application.secret-removed',
      ...subjectOf(application),
      before: { secretId },
      after: null,
    };
    return { result: undefined, record };
  });
}

/** Lets one change of the applications of the deployment, which have no account to lock, follow the other. */
async function waitForOthers(tx: AccessTransaction, accountId: number | null): Promise<void> {
  if (accountId === null) await takeTurn(tx, 'staff-applications', randomId());
}

function subjectsOf(accountId: number | null) {
  return { lock: { accounts: accountId === null ? [] : [accountId] } };
}

function subjectOf({ id, accountId }: Pick<ApplicationRow, 'id' | 'accountId'>) {
  return { ...(accountId === null ? {} : { accountId }), subjectKind: 'application', subjectId: id };
}
