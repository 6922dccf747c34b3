import {
  AppError,
  domainOfAddress,
  dummyHash,
  emailKey,
  sha256Hex,
  TOKEN_LIVES_SECONDS,
  vouchedAddress,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { insertMember } from '@gatehouse/db/queries/insert-member';
import { lockAccountRows } from '@gatehouse/db/queries/lock-rows';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { findMember } from '@gatehouse/db/queries/read-members';
import { findSessionsEnd } from '@gatehouse/db/queries/revoke-sessions';
import { findSsoConnection, lockSsoConnection, PLATFORM } from '@gatehouse/db/queries/sso-connections';
import { isDomainOfAccount } from '@gatehouse/db/queries/sso-domains';
import { insertSsoLogin } from '@gatehouse/db/queries/sso-logins';
import {
  findSsoSubject,
  hadPlace,
  insertSsoSubject,
  lockSsoMember,
  touchSsoSubject,
} from '@gatehouse/db/queries/sso-subjects';
import { lockPlantedAccounts } from '@gatehouse/db/queries/take-member-over';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import { recordAudit } from '../audit/record-audit.js';
import { endEarlierSignIns } from '../authentication/take-over.js';
import type { Context } from '../core/context.js';
import { appLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';
import { newMemberRow } from '../registration/new-member.js';
import { generateUsername } from '../registration/usernames.js';
import { auditedAccount } from './change-connections.js';
import { roleFrom, type SsoClaims, subjectKeyOf, type UsedConnection } from './sso-claims.js';

/** How often the decision is repeated if somebody else changes the data on which it is based. */
const ATTEMPTS = 4;

const HOUR_MS = 3_600_000;

/** The person who signs in with these claims. */
interface Person {
  readonly memberId: number;
  /** The address that identifies them; absent for a known subject. */
  readonly emailKey?: string;
  /** Whether they are a member since this very sign-in. */
  readonly isNew?: true;
}

/**
 * The address in claims, in the form in which members have it; undefined for one that proves nothing. Some providers of companies
 * do not say that it is verified. For an account its domain proves that; for staff the provider must say it.
 */
export function addressOf(
  { accountId }: Pick<UsedConnection, 'accountId'>,
  { email, emailVerified }: Pick<SsoClaims, 'email' | 'emailVerified'>,
): string | undefined {
  const isVouched = emailVerified ?? accountId !== PLATFORM;
  return email === null || !isVouched ? undefined : vouchedAddress(email);
}

/** Whether an address is in a domain of a connection: one that its account has verified, or that the platform has named. */
export async function isOwnDomain(
  db: Database,
  { accountId, settings }: Pick<UsedConnection, 'accountId' | 'settings'>,
  email: string | undefined,
): Promise<boolean> {
  const domain = email === undefined ? undefined : domainOfAddress(email);
  if (domain === undefined) return false;
  return accountId === PLATFORM
    ? settings.domains?.includes(domain) === true
    : isDomainOfAccount(db, { accountId, domain });
}

/**
 * Signs in the person of verified claims: the subject's member; else the member with the address, in a domain that the account
 * has verified; else, if the connection allows it, a new member whom the account manages. Their role follows from the claims. A
 * connection of the platform signs in staff: the subject's, or the one with the proven address, in a domain that it names.
 * @returns a one-use token for the front end
 * @throws {AppError} `account_forbidden` for people whom the connection does not sign in, including staff for an account's
 * connection; `invalid_state` if the connection was changed since the flow began
 */
export async function completeSignIn(
  ctx: Context,
  connection: UsedConnection,
  { claims, locale }: { claims: SsoClaims; locale: Locale | undefined },
): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await signIn(ctx, connection, { claims, locale, attempt });
    } catch (error) {
      // Somebody took the subject, the address or the generated username meanwhile.
      if (!(error instanceof DuplicateKeyError) || attempt + 1 === ATTEMPTS) throw error;
    }
  }
}

async function signIn(
  ctx: Context,
  connection: UsedConnection,
  { claims, locale, attempt }: { claims: SsoClaims; locale: Locale | undefined; attempt: number },
): Promise<string> {
  const { services } = ctx;
  const { id: connectionId, accountId, settings, epoch } = connection;
  const subjectKey = subjectKeyOf(settings, claims.subject);
  const known = await findSsoSubject(services.db, { connectionId, subjectKey });
  const email = known === undefined ? addressOf(connection, claims) : undefined;
  const key = email === undefined ? undefined : emailKey(email);
  const holder = key === undefined ? undefined : await findCredential(services.db, key);
  // A login name alone is not an address.
  if (known === undefined && holder !== undefined && holder.emailKey !== key) throw refused('login name');
  const found = known?.memberId ?? holder?.id;
  const made = await changeAccess(
    services.db,
    { accounts: [], members: found === undefined ? [] : [found] },
    async (tx) => {
      const nowMs = services.now();
      const ofStaff = accountId === PLATFORM;
      const isJoining = found !== undefined && known === undefined && !ofStaff;
      const planted = isJoining ? await lockPlantedAccounts(tx, found) : [];
      if (ofStaff) await lockSsoConnection(tx, connectionId, 'share');
      else await lockAccountRows(tx, [accountId], 'share');
      const row = await findSsoConnection(tx, { id: connectionId, accountId });
      if (
        row === undefined ||
        row.live === null ||
        row.epoch !== epoch ||
        row.liveVersion !== connection.version
      )
        throw new AppError('invalid_state');
      if (known === undefined && !(await isOwnDomain(tx, connection, email)))
        throw refused('no address in a verified domain');
      if (found === undefined && ofStaff) throw refused('nobody has the address');
      const person: Person =
        found === undefined
          ? await enrol(tx, ctx, connection, { claims, email, locale, attempt })
          : { memberId: found, ...(key === undefined ? {} : { emailKey: key }) };
      const { memberId } = person;
      if (!(await lockSsoMember(tx, { memberId, emailKey: person.emailKey, isStaff: ofStaff, nowMs })))
        throw refused(ofStaff ? 'no staff, or not proven' : 'staff, deleted or archived');
      if (isJoining) await endEarlierSignIns(tx, ctx, { memberId, lockedAccounts: planted });
      if (!ofStaff) await place(tx, ctx, connection, { ...person, values: claims.values });
      const subjectId = await recordSubject(tx, ctx, connection, { claims, subjectKey, person, known });
      const untilMs = Math.min(
        nowMs + settings.sessionHours * HOUR_MS,
        claims.sessionEndsAtMs ?? Number.POSITIVE_INFINITY,
      );
      if (untilMs <= nowMs) throw refused('the session at the identity provider is over');
      const loginId = await insertSsoLogin(tx, {
        connectionId,
        accountId,
        subjectId,
        memberId,
        epoch,
        level: settings.idpLevel,
        untilMs,
        providerSessionKey: claims.providerSessionKey,
        logoutUrl: claims.logoutUrl,
        createdAtMs: nowMs,
      });
      const end = await findSessionsEnd(tx, memberId);
      if (end === undefined) throw refused('gone');
      return { memberId, loginId, ...end };
    },
  );
  services.wakeups.wake('mail');
  ctx.call.facts.memberId = made.memberId;
  const { token } = services.tokens.sealOneUse(
    { type: 'ssoLogin', userId: made.memberId, loginId: made.loginId, sessionEpoch: made.sessionEpoch },
    TOKEN_LIVES_SECONDS.ssoLogin,
    // The clock of this node may be behind the one that recorded the end of the sessions.
    { notBeforeMs: made.tokensValidAfterMs },
  );
  return token;
}

/** The same for everybody whom a connection does not sign in, so that it reveals nothing about other members. */
function refused(detail: string): AppError {
  return new AppError('account_forbidden', { detail: `single sign-on: ${detail}` });
}

/** Makes the member of a person who is new to the service. */
async function enrol(
  tx: AccessTransaction,
  ctx: Context,
  { accountId, settings }: UsedConnection,
  {
    claims,
    email,
    locale,
    attempt,
  }: { claims: SsoClaims; email: string | undefined; locale: Locale | undefined; attempt: number },
): Promise<Person> {
  const { services } = ctx;
  if (!settings.justInTime || email === undefined) throw refused('nobody has the address');
  const nowMs = services.now();
  const firstName = nameIn(claims.firstName);
  const row = newMemberRow({
    services,
    email,
    username: generateUsername({ email, firstName }, attempt),
    passwordHash: dummyHash,
    hasPassword: false,
    firstName,
    lastName: nameIn(claims.lastName),
    emailConfirmedAtMs: nowMs,
    locale,
  });
  const memberId = await insertMember(tx, { nowMs, ...row, managedByAccountId: accountId });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'member.registered',
    actorId: memberId,
    accountId,
    subjectKind: 'member',
    subjectId: memberId,
  });
  return { memberId, emailKey: emailKey(email), isNew: true };
}

const MAX_NAME_LENGTH = 64;

function nameIn(text: string | null): string {
  const shown = (text ?? '').replaceAll(/[\p{C}<>]/gu, '').trim();
  return [...shown].slice(0, MAX_NAME_LENGTH).join('').trim();
}

/**
 * Gives a member their role in the account. Owners and account managers keep theirs, and a member who was removed does not come
 * back.
 */
async function place(
  tx: AccessTransaction,
  ctx: Context,
  { accountId, settings }: UsedConnection,
  { memberId, values }: Person & Pick<SsoClaims, 'values'>,
): Promise<void> {
  const { services } = ctx;
  const { id: role } = services.roles;
  const nowMs = services.now();
  const before = await findMembership(tx, { memberId, accountId });
  const roleType = roleFrom(services, settings, values);
  if (before === undefined) {
    if (!settings.justInTime || (await hadPlace(tx, { memberId, accountId }))) throw refused('no membership');
  } else {
    if (!before.active) throw refused('no active membership');
    const keeps = [role.admin, role.owner, role.accountManager].includes(before.roleType);
    if (keeps || settings.roleMap.length === 0 || before.roleType === roleType) return;
  }
  await setMembership(tx, { memberId, accountId, roleType, nowMs });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: before === undefined ? 'membership.added' : 'membership.changed',
    actorId: memberId,
    accountId,
    onBehalfOfId: memberId,
    subjectKind: 'membership',
    subjectId: `${accountId}/${memberId}`,
    before: before === undefined ? null : { roleType: before.roleType, customRoleId: before.customRoleId },
    after: { roleType, customRoleId: null, ...(before === undefined ? { active: true } : {}) },
  });
  // A new member is in no snapshot yet, and cached lists of the account do not have them.
  if (before === undefined) await changeAccess(tx, { members: [memberId] }, () => Promise.resolve());
}

/** Records the member of a subject. A member who existed before gets a mail. */
async function recordSubject(
  tx: AccessTransaction,
  ctx: Context,
  { id: connectionId, accountId, name }: UsedConnection,
  {
    claims,
    subjectKey,
    person: { memberId, isNew },
    known,
  }: { claims: SsoClaims; subjectKey: string; person: Person; known: { readonly id: number } | undefined },
): Promise<number> {
  const { services } = ctx;
  const nowMs = services.now();
  if (known !== undefined) {
    if (!(await touchSsoSubject(tx, { id: known.id, nowMs }))) throw new AppError('invalid_state');
    return known.id;
  }
  const { subject } = claims;
  const id = await insertSsoSubject(tx, { connectionId, accountId, subjectKey, subject, memberId, nowMs });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'sso.member-joined',
    actorId: memberId,
    ...auditedAccount(accountId),
    subjectKind: 'ssoConnection',
    subjectId: connectionId,
    before: null,
    after: { subject: sha256Hex(subject).slice(0, 12) },
  });
  const { email = null } = (await findMember(tx, memberId)) ?? {};
  if (!isNew && email !== null) {
    const link = appLink(services.config, 'forgot');
    const data = { providerName: mailName(name) ?? 'single sign-on', atMs: nowMs, link };
    await queueMail(tx, services, { kind: 'newConnection', to: email, memberId, data });
  }
  return id;
}
