import { setTimeout } from 'node:timers/promises';
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
import { findMostPasswordCost } from '@gatehouse/db/queries/imported-passwords';
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
import { recordAudit } from '../audit/record-audit.js';
import { recordRefusal } from '../audit/security-events.js';
import type { Context } from '../core/context.js';
import { countLoginAttempt } from '../core/rate-limit/login-limits.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

/** The member whose password is compared, and the sentence of a refusal. */
interface Compared {
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
 * @throws {AppError} `invalid_credentials`, `rate_limited`, `unavailable`
 */
export function checkPassword(
  ctx: Context,
  login: string,
  password: string,
  { sent, kind }: Pick<Compared, 'sent' | 'kind'> = {},
): Promise<CheckedCredential> {
  const { db, now } = ctx.services;
  return admit(ctx, async () => {
    const key = emailKey(login);
    const found = await findCredential(db, key);
    return check(ctx, password, {
      found,
      login: key,
      sent,
      kind,
      admits: (member) => isActiveAt(member, now()),
    });
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
  return admit(ctx, async () => {
    const found = await findCredentialById(db, memberId);
    const login = found?.sidKey ?? '';
    return check(ctx, password, {
      found,
      login,
      sent: 'password',
      kind: 'verification',
      admits: admits ?? isActive,
    });
  });
}

/** A password that was right, or the refusal of another, and how long it must wait to tell nothing by its time. */
type Checked =
  | { readonly member: CheckedCredential }
  | { readonly refusal: AppError; readonly waitMs: number };

/** Runs a check when the queue admits it. A refusal waits outside the queue. */
async function admit(ctx: Context, check: () => Promise<Checked>): Promise<CheckedCredential> {
  const checked = await ctx.services.passwords.admit(check);
  if ('member' in checked) return checked.member;
  if (checked.waitMs > 0) await setTimeout(checked.waitMs);
  throw checked.refusal;
}

/**
 * Counts the attempt and compares. Unknown, wrong, deleted and banned get the same answer and
 * cost one comparison each.
 */
async function check(
  ctx: Context,
  password: string,
  { found, login, sent, kind, admits }: Compared,
): Promise<Checked> {
  const { log } = ctx.services;
  const attempt = await countLoginAttempt(ctx, { memberId: found?.id, login }).catch(
    async (error: unknown) => {
      if (isRateLimited(error))
        await recordRefusal(ctx, { memberId: found?.id, kind, login, outcome: 'locked' });
      throw error;
    },
  );
  const { credential, matches, waitMs } = await compare(ctx, found, password).catch(
    async (error: unknown) => {
      await attempt.refund();
      throw error;
    },
  );
  if (!matches || credential === undefined || !admits(credential)) {
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
      login,
      outcome: isLocked ? 'locked' : 'failed',
    });
    if (isLocked && credential !== undefined) log.security({ event: 'login.locked', ...who });
    return { refusal: new AppError('invalid_credentials', { sent }), waitMs };
  }
  await attempt.succeed();
  return { member: { ...credential, isListed: await isListedPassword(password) } };
}

function isRateLimited(error: unknown): boolean {
  return error instanceof AppError && error.code === 'rate_limited';
}

/** How often a password is compared again because another login replaced the stored value. */
const ATTEMPTS = 3;

/**
 * Compares with the number of rounds of the costliest stored value. The comparison wraps hashes of a low
 * cost; once the password is known, our own hash replaces them and those of other systems.
 */
async function compare(
  ctx: Context,
  found: Credential | undefined,
  password: string,
  attempt = 1,
): Promise<{ credential: Credential | undefined; matches: boolean; waitMs: number }> {
  const { db, passwords } = ctx.services;
  const credential = found && (await withHashedPassword(ctx, found));
  const most = await findMostPasswordCost(db);
  const { matches, wrapped, waitMs } = await passwords.compare(password, credential?.password, most);
  if (credential === undefined) return { credential, matches, waitMs };
  const hash =
    matches && isReplaced(credential.password, password)
      ? await passwords.hash(password, { isLogin: true })
      : (wrapped ?? credential.password);
  const cost = passwordCost(hash);
  if (hash === credential.password && isSameCost(cost, credential)) return { credential, matches, waitMs };
  if (await setPasswordHash(db, credential.id, credential.password, hash, cost)) {
    const replaced = { password: hash, passwordIsPlain: false, ...cost };
    return { credential: { ...credential, ...replaced }, matches, waitMs };
  }
  if (!matches || attempt === ATTEMPTS) return { credential, matches, waitMs };
  return compare(ctx, await findCredentialById(db, credential.id), password, attempt + 1);
}

/** Not where the password was too long for ours once normalized, and matched as it was sent. */
function isReplaced(stored: string, password: string): boolean {
  const { kind } = readStoredPassword(stored);
  const isOther = kind === 'weak' || kind === 'wrapped' || kind === 'wordpress' || kind === 'foreign';
  return isOther && fitsBcrypt(normalizePassword(password));
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
