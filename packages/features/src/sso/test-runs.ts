import { AppError, emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import { isActiveAt, isProven } from '@gatehouse/db/queries/member-columns';
import { type Credential, findCredential } from '@gatehouse/db/queries/passwords';
import { PLATFORM, setSsoConnectionTested } from '@gatehouse/db/queries/sso-connections';
import { findSsoTest, insertSsoRun, type SsoRun, setSsoRunPayload } from '@gatehouse/db/queries/sso-runs';
import { findSsoSubject } from '@gatehouse/db/queries/sso-subjects';
import { z } from 'zod';
import { change } from '../audit/change.js';
import type { Context, Services } from '../core/context.js';
import { requireConnection, type SsoContext } from './change-connections.js';
import { addressOf, isOwnDomain } from './complete-sign-in.js';
import { connectionUrls } from './connection-view.js';
import { roleFrom, type SsoClaims, subjectKeyOf, type UsedConnection } from './sso-claims.js';
import { SSO_CHECKS, type SsoCheck, SsoFailure } from './sso-failure.js';

/** How long a test is open, and its result is shown. */
const TEST_LIFE_MS = 15 * 60_000;

const checkView = z.object({
  check: z.enum(SSO_CHECKS),
  passed: z.boolean(),
  /** What was wrong, in a few words for those who set up the connection. */
  detail: z.string().nullable(),
});

/** The result of a test. */
export const testView = z
  .object({
    state: z.enum(['waiting', 'passed', 'failed']),
    connectionId: z.int(),
    checks: z.array(checkView).max(SSO_CHECKS.length),
    /** The identity provider's claims about the person who signed in. */
    claims: z.record(z.string(), z.array(z.string())),
    /** The effect of a sign-in; null if it would have none. */
    mapping: z
      .object({
        subject: z.string(),
        email: z.string().nullable(),
        roleType: z.int(),
        /** Whether they are known by their subject or their address, would be new, or would be refused. */
        person: z.enum(['subject', 'address', 'new', 'refused']),
      })
      .nullable(),
  })
  .meta({ id: 'SsoTest' });

type TestView = z.output<typeof testView>;

const outcome = testView.omit({ connectionId: true });

export const runKey = (code: string) => sha256Hex(`ssoRun:${code}`);

const payloadContext = (codeKey: string) => `ssoRun:${codeKey}`;

/**
 * Begins the test of a connection as it was last saved: a URL for the browser, for one sign-in, which creates nobody and signs
 * nobody in.
 * @throws {AppError} `not_found`
 */
export async function beginTest(
  ctx: SsoContext,
  { accountId, connectionId }: { accountId: number; connectionId: number },
): Promise<{ testId: number; url: string }> {
  const { services } = ctx;
  const code = randomId();
  const { testId, key } = await change(ctx, {}, async ({ tx, nowMs, caller }) => {
    const row = await requireConnection(tx, { id: connectionId, accountId });
    const run = {
      codeKey: runKey(code),
      purpose: 'test',
      connectionId,
      accountId,
      version: row.version,
      memberId: caller.memberId,
      payload: null,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + TEST_LIFE_MS,
    } as const;
    return { testId: await insertSsoRun(tx, run), key: row.key };
  });
  const url = new URL(connectionUrls(services, { key, accountId }).start);
  url.searchParams.set('test', code);
  return { testId, url: url.href };
}

/**
 * The result of a test that the caller began, for 15 minutes.
 * @throws {AppError} `not_found`
 */
export async function testResultOf(
  { services, caller }: SsoContext,
  { accountId, testId: id }: { accountId: number; testId: number },
): Promise<TestView> {
  const scope = { id, accountId, memberId: caller.memberId, nowMs: services.now() };
  const run = await findSsoTest(services.db, scope);
  if (run === undefined) throw new AppError('not_found');
  const { connectionId, payload, codeKey } = run;
  if (payload === null) return { state: 'waiting', connectionId, checks: [], claims: {}, mapping: null };
  const read = outcome.parse(JSON.parse(services.cipher.open(payload, payloadContext(codeKey))));
  return { ...read, connectionId };
}

/**
 * Records the result of a test. It passes if the answer is valid and names a person with an address; whether they could sign in
 * now also depends on the domains, which it reports.
 */
export async function recordTest(
  { services }: Pick<Context, 'services'>,
  connection: UsedConnection,
  run: SsoRun,
  result: { readonly claims: SsoClaims } | { readonly failure: unknown },
): Promise<void> {
  const told =
    'claims' in result
      ? await toldOf(services, connection, result.claims)
      : { state: 'failed' as const, checks: failedChecks(result.failure), claims: {}, mapping: null };
  const payload = services.cipher.seal(JSON.stringify(told), payloadContext(run.codeKey));
  await services.db.transaction(async (tx) => {
    await setSsoRunPayload(tx, run.id, payload);
    if (told.state === 'passed')
      await setSsoConnectionTested(tx, { id: connection.id, version: connection.version });
  });
}

const PROTOCOL: readonly SsoCheck[] = ['answer', 'signature', 'issuer', 'audience', 'times', 'subject'];

function passedCheck(check: SsoCheck): z.output<typeof checkView> {
  return { check, passed: true, detail: null };
}

function failedChecks(failure: unknown): z.output<typeof checkView>[] {
  const { check, detail } =
    failure instanceof SsoFailure ? failure : { check: 'answer' as const, detail: undefined };
  return [
    ...PROTOCOL.slice(0, Math.max(0, PROTOCOL.indexOf(check))).map(passedCheck),
    { check, passed: false, detail: detail ?? null },
  ];
}

async function toldOf(
  services: Services,
  connection: UsedConnection,
  claims: SsoClaims,
): Promise<Omit<TestView, 'connectionId'>> {
  const { db } = services;
  const { id: connectionId, accountId, settings } = connection;
  const email = addressOf(connection, claims);
  const isOurs = await isOwnDomain(db, connection, email);
  const subjectKey = subjectKeyOf(settings, claims.subject);
  const known = await findSsoSubject(db, { connectionId, subjectKey });
  const holder = isOurs && email !== undefined ? await findCredential(db, emailKey(email)) : undefined;
  const isAdmitted =
    holder !== undefined &&
    (accountId === PLATFORM
      ? isAdmittedStaff(holder, services.now())
      : !holder.isPersonnel && !holder.isDeleted);
  const unknown = isOurs && holder === undefined && settings.justInTime ? 'new' : 'refused';
  const person = known !== undefined ? 'subject' : isAdmitted ? 'address' : unknown;
  const roleType = roleFrom(services, settings, claims.values);
  return {
    state: email === undefined ? 'failed' : 'passed',
    checks: [
      ...PROTOCOL.map(passedCheck),
      {
        check: 'address',
        passed: email !== undefined,
        detail: email === undefined ? 'none, or not verified' : null,
      },
      {
        check: 'domain',
        passed: isOurs,
        detail: isOurs
          ? null
          : accountId === PLATFORM
            ? 'not in its settings'
            : 'not verified by this account',
      },
      { check: 'member', passed: person !== 'refused', detail: null },
    ],
    claims: claims.values,
    mapping: { subject: claims.subject, email: email ?? null, roleType, person },
  };
}

/** Whether the address of a person identifies them to a connection of the platform. */
const isAdmittedStaff = (holder: Credential, nowMs: number): boolean =>
  holder.isPersonnel && isActiveAt(holder, nowMs) && isProven(holder);
