import {
  AppError,
  type CredentialKind,
  emailKey,
  fitsBcrypt,
  isListedPassword,
  normalizePassword,
  type PasswordCost,
  passwordCost,
  plainPassword,
  readStoredPassword,
} from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findMostPasswordCost, notePasswordUse } from '@gatehouse/db/queries/imported-passwords';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import {
  type Credential,
  findCredential,
  findCredentialById,
  recordListedPassword,
  setPasswordHash,
} from '@gatehouse/db/queries/passwords';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { RefusedKind } from '@gatehouse/db/queries/security-event-log';
import type { SsoOfDomain } from '@gatehouse/db/queries/sso-domains';
import type { ForeignComparison } from '@gatehouse/runtime/passwords/password-hasher';
import { recordAudit } from '../audit/record-audit.js';
import { recordRefusal } from '../audit/security-events.js';
import type { Context } from '../core/context.js';
import type { LegacyProfile, LegacySignIn } from '../core/legacy-sign-in.js';
import { type CountedLogin, countLoginAttempt } from '../core/rate-limit/login-limits.js';
import { findRequiredSso, requireOwnSignIn } from '../core/required-sso.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { adoptLegacyPassword, askLegacy } from './legacy-password.js';
import { mayBypass, requireOwnSignInOf } from './sso-bypass.js';

/** A login: the member whose password is compared, and the sentence of a refusal. */
interface Login {
  readonly found: Credential | undefined;
  /** The normalised login name. */
  readonly login: string;
  readonly sent?: CredentialKind | undefined;
  /** What it was sent for; a sign-in if absent. */
  readonly kind?: RefusedKind | undefined;
  /** The members it accepts. */
  readonly admits: (member: Credential) => boolean;
}

/**
 * Checks a login name and a password, after waiting in the queue.
 * @param sent the name of the only field sent, for the refusal; absent if both were sent
 * @param kind what it was sent for, in the security event of a refusal
 * @param withoutSso whether the caller says that they may sign in without the identity provider that their account requires,
 * which is considered only once the password was right
 * @throws {AppError} `invalid_credentials`, `rate_limited`, `unavailable`; `sso_required` by the domain of the login name, before
 * anything is looked up, and once the password was right by that of the member's address
 */
export function checkPassword(
  ctx: Context,
  login: string,
  password: string,
  {
    sent,
    kind,
    withoutSso = false,
  }: Pick<Login, 'sent' | 'kind'> & { readonly withoutSso?: boolean | undefined } = {},
): Promise<CheckedCredential> {
  const { services } = ctx;
  const { db, now } = services;
  let bypassed: SsoOfDomain | undefined;
  const checked = check(ctx, password, async () => {
    const key = emailKey(login);
    if (kind === undefined && !withoutSso) await requireOwnSignIn(services, key);
    bypassed = kind === undefined && withoutSso ? await findRequiredSso(services, key) : undefined;
    const found = await findCredential(db, key);
    // Read for unknown people too, so that the time it takes does not reveal them.
    const isExempt =
      bypassed === undefined || (await mayBypass(services, bypassed, found ?? { id: 0, isPersonnel: false }));
    const admits = (member: Credential) => isActiveAt(member, now()) && isExempt;
    return { found, login: key, sent, kind, admits };
  });
  return checked.then(async (member) => {
    // They may have typed a login name that is not in the domain of their address.
    if (kind === undefined && bypassed === undefined)
      await requireOwnSignInOf(ctx, member, { sent, withoutSso });
    return member;
  });
}

/**
 * Checks the password of the member that a link or a session names, even if their login name has changed.
 * @param admits the members it accepts; active ones if absent
 * @throws {AppError} as `checkPassword`
 */
export function checkPasswordOf(
  ctx: Context,
  memberId: number,
  password: string,
  admits?: (member: Credential) => boolean,
): Promise<CheckedCredential> {
  const { db, now } = ctx.services;
  const isActive = (member: Credential) => isActiveAt(member, now());
  return check(ctx, password, async () => {
    const found = await findCredentialById(db, memberId);
    const login = found?.sidKey ?? '';
    return { found, login, sent: 'password', kind: 'verification', admits: admits ?? isActive };
  });
}

/** A login whose attempt is counted. */
interface Counted extends Login {
  readonly attempt: CountedLogin;
}

/** What a password was compared with. */
interface Compared {
  readonly credential: Credential | undefined;
  readonly matches: boolean;
  /** How long a slow machine takes for the costliest hash of another system; undefined if there is none. */
  readonly delayMs?: number | undefined;
}

/** A login that is decided, or whose password another system may still know. */
type Admitted =
  | { readonly checked: CheckedCredential }
  | {
      readonly login: Counted;
      readonly credential: Credential | undefined;
      readonly delayMs?: number | undefined;
    };

/**
 * Counts the attempt and compares by bcrypt. While hashes of other systems are stored, every login that this does not accept leaves
 * the queue and is compared with one, or waits as long; and while the previous system is asked, so does every sign-in. Unknown, wrong,
 * deleted and banned get the same answer at the same time.
 */
async function check(ctx: Context, password: string, find: () => Promise<Login>): Promise<CheckedCredential> {
  const { passwords } = ctx.services;
  const first = await passwords.admit(async (): Promise<Admitted> => {
    const login = await count(ctx, await find());
    const compared = await refundedOnError(login, () => compare(ctx, login.found, password));
    const { delayMs } = compared;
    const isElsewhere = delayMs !== undefined || legacyFor(ctx, login) !== undefined;
    if (!isElsewhere || isAccepted(login, compared))
      return { checked: await conclude(ctx, password, login, compared) };
    return { login, credential: compared.credential, delayMs };
  });
  if ('checked' in first) return first.checked;
  const { login, credential, delayMs } = first;
  const candidate = isAccepted(login, { credential, matches: true }) ? credential : undefined;
  const foreign =
    delayMs === undefined
      ? { matches: false }
      : await compareForeign(ctx, password, candidate?.password, delayMs);
  const { matches, failure, refusal } = foreign;
  const legacy = legacyFor(ctx, login);
  const verdict =
    legacy === undefined || matches || failure !== undefined || refusal !== undefined
      ? undefined
      : await refundedOnError(login, () => askLegacy(ctx, legacy, { member: candidate, password }));
  return passwords.admit(async () => {
    if (verdict?.is === 'unknown' && verdict.wasAsked) {
      await login.attempt.refundMember();
      throw unchecked();
    }
    const compared = await refundedOnError(login, async () => {
      if (failure) throw failure;
      if (verdict?.is === 'here') return compare(ctx, verdict.credential, password);
      if (legacy !== undefined && verdict?.is === 'right' && candidate !== undefined)
        return adopt(ctx, legacy, { member: candidate, password, profile: verdict.profile });
      return credential && matches
        ? keep(ctx, { credential, matches, delayMs }, password)
        : { credential, matches };
    });
    return conclude(ctx, password, login, compared, verdict?.is === 'unknown' ? unchecked() : refusal);
  }, true);
}

/** The previous system, for a sign-in while it is asked. A signed-in member is verified by what is stored here. */
function legacyFor({ services: { legacy } }: Context, { kind }: Login): LegacySignIn | undefined {
  return kind === undefined && legacy?.isOn() ? legacy : undefined;
}

const unchecked = () =>
  new AppError('legacy_unavailable', {
    detail: 'the previous system did not say whether a password is right',
    retryAfterSeconds: LEGACY_RETRY_SECONDS,
  });

const LEGACY_RETRY_SECONDS = 60;

/** Stores the password that the previous system has verified, or compares it with the one that was stored meanwhile. */
async function adopt(
  ctx: Context,
  legacy: LegacySignIn,
  { member, password, profile }: { member: Credential; password: string; profile: LegacyProfile },
): Promise<Compared> {
  const hash = await ctx.services.passwords.hash(password, { isLogin: true });
  const credential = await adoptLegacyPassword(ctx, legacy, { member, hash, profile });
  if (credential !== undefined) return { credential, matches: true };
  return compare(ctx, await findCredentialById(ctx.services.db, member.id), password);
}

async function count(ctx: Context, login: Login): Promise<Counted> {
  const { found, login: name, kind } = login;
  const memberId = found?.id;
  try {
    return { ...login, attempt: await countLoginAttempt(ctx, { memberId, login: name }) };
  } catch (error) {
    if (isRateLimited(error)) await recordRefusal(ctx, { memberId, kind, login: name, outcome: 'locked' });
    throw error;
  }
}

/** Nothing is counted against a member whose password was not compared. */
async function refundedOnError<Result>({ attempt }: Counted, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await attempt.refund();
    throw error;
  }
}

/**
 * If too many are waiting, every password that did not match by bcrypt gets that refusal, and is counted as a wrong one:
 * otherwise anybody could guess without limit meanwhile.
 */
async function compareForeign(
  { services }: Context,
  password: string,
  stored: string | undefined,
  delayMs: number,
): Promise<ForeignComparison & { readonly refusal?: AppError }> {
  try {
    return await services.passwords.compareForeign(password, stored, delayMs);
  } catch (error) {
    if (error instanceof AppError) return { matches: false, refusal: error };
    throw error;
  }
}

function isAccepted({ admits }: Login, { credential, matches }: Compared): boolean {
  return matches && credential !== undefined && admits(credential);
}

/** Ends the attempt: returns the member whose password was right, or records the refusal and throws it. */
async function conclude(
  ctx: Context,
  password: string,
  login: Counted,
  { credential, matches }: Compared,
  refusal?: AppError,
): Promise<CheckedCredential> {
  const { attempt, admits, kind, sent } = login;
  if (matches && credential !== undefined && admits(credential)) {
    await attempt.succeed();
    return { ...credential, isListed: await isListedPassword(password) };
  }
  const { log } = ctx.services;
  const { isLocked } = await attempt.fail();
  const who = {
    requestId: ctx.call.requestId,
    address: ctx.call.address,
    memberId: credential?.id,
    reason: 'invalid_credentials',
  };
  log.security({ event: 'login.failed', ...who });
  await recordRefusal(ctx, {
    memberId: credential?.id,
    kind,
    login: login.login,
    outcome: isLocked ? 'locked' : 'failed',
  });
  if (isLocked && credential !== undefined) log.security({ event: 'login.locked', ...who });
  throw refusal ?? new AppError('invalid_credentials', { sent });
}

function isRateLimited(error: unknown): boolean {
  return error instanceof AppError && error.code === 'rate_limited';
}

/** How often a password is compared again because another login replaced the stored value. */
const ATTEMPTS = 3;

/** Compares by bcrypt, with the number of rounds of the costliest stored value. */
async function compare(
  ctx: Context,
  found: Credential | undefined,
  password: string,
  attempt = 1,
): Promise<Compared> {
  const { db, passwords } = ctx.services;
  const credential = found && (await withHashedPassword(ctx, found));
  const { rounds, delayMs } = await findMostPasswordCost(db);
  const { matches, wrapped } = await passwords.compare(password, credential?.password, rounds);
  if (credential === undefined) return { credential, matches, delayMs };
  // That of a hash that SQL wrote may not be stored yet.
  const ownDelayMs = passwordCost(credential.password).passwordDelayMs ?? undefined;
  const compared = { credential, matches, wrapped, delayMs: delayMs ?? ownDelayMs };
  return keep(ctx, compared, password, attempt);
}

/**
 * The comparison wraps hashes of a low cost; once the password is known, our own hash replaces them and those of other systems. Compares
 * again where another login did so meanwhile.
 */
async function keep(
  ctx: Context,
  compared: Compared & { readonly credential: Credential; readonly wrapped?: string | undefined },
  password: string,
  attempt = 1,
): Promise<Compared> {
  const { db, now, passwords } = ctx.services;
  const { credential, matches, wrapped } = compared;
  const kind = matches ? foreignKind(credential.password) : undefined;
  if (kind !== undefined) await notePasswordUse(db, { kind, nowMs: now() });
  const hash =
    matches && isReplaced(credential.password, password)
      ? await passwords.hash(password, { isLogin: true })
      : (wrapped ?? credential.password);
  const cost = passwordCost(hash);
  if (hash === credential.password && isSameCost(cost, credential)) return compared;
  if (await setPasswordHash(db, credential.id, credential.password, hash, cost)) {
    const replaced = { password: hash, passwordIsPlain: false, ...cost };
    return { ...compared, credential: { ...credential, ...replaced } };
  }
  if (!matches || attempt === ATTEMPTS) return compared;
  return compare(ctx, await findCredentialById(db, credential.id), password, attempt + 1);
}

/** The kind of a hash that is not ours, as `gatehouse hashes` names it. */
function foreignKind(stored: string): string | undefined {
  const read = readStoredPassword(stored);
  switch (read.kind) {
    case 'foreign':
      return read.foreign.kind;
    case 'weak':
    case 'wrapped':
      return 'wrapped';
    case 'wordpress':
    case 'digest':
      return read.kind;
    case 'bcrypt':
    case 'unknown':
      return undefined;
  }
}

/** Not if the password was too long for our hash once normalized, and matched as it was sent. */
function isReplaced(stored: string, password: string): boolean {
  const { kind } = readStoredPassword(stored);
  const isOurs = kind === 'bcrypt' || kind === 'unknown';
  return !isOurs && fitsBcrypt(normalizePassword(password));
}

function isSameCost(one: PasswordCost, other: PasswordCost): boolean {
  return one.passwordRounds === other.passwordRounds && one.passwordDelayMs === other.passwordDelayMs;
}

/**
 * A row may hold a password that the operator declared plain. It is hashed in place before the comparison, so only bcrypt
 * ever compares passwords. Any other text that is not a hash matches nothing.
 */
async function withHashedPassword(ctx: Context, credential: Credential): Promise<Credential> {
  const plain = plainPassword(credential);
  if (plain === undefined) return credential;
  const hash = await ctx.services.passwords.hash(plain);
  const isSet = await setPasswordHash(ctx.services.db, credential.id, plain, hash);
  if (isSet) return { ...credential, password: hash, passwordIsPlain: false, ...passwordCost(hash) };
  return (await findCredential(ctx.services.db, credential.sidKey)) ?? credential;
}

/** A member whose password was right, and whether it is in the list of common passwords. */
export interface CheckedCredential extends Credential {
  readonly isListed?: boolean;
}

/** Whether a sign-in is the first to show that the password is listed. */
export function isNewlyListed({ isListed, passwordListedAtMs }: CheckedCredential): boolean {
  return isListed === true && passwordListedAtMs === null;
}

/** Records that the password is listed, in the sign-in's transaction, and mails the member once. */
export async function recordListed(
  tx: AccessTransaction,
  ctx: Context,
  { id: memberId, password: expectedPassword }: Credential,
): Promise<void> {
  const { services } = ctx;
  const nowMs = services.now();
  if (!(await recordListedPassword(tx, { memberId, expectedPassword, nowMs }))) return;
  const { email = null } = (await findMember(tx, memberId)) ?? {};
  if (email !== null) {
    const data = { link: appLink(services.config, 'forgot') };
    await queueMail(tx, services, { kind: 'listedPassword', to: email, memberId, data });
  }
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'password.listed',
    actorId: null,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
}
