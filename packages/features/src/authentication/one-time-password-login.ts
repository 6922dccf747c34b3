import {
  AppError,
  digestOneTimePassword,
  emailKey,
  generateOneTimePassword,
  loginNameSchema,
  matchesOneTimePassword,
  sha256Hex,
  submittedPasswordSchema,
} from '@gatehouse/auth-core';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import {
  consumeOneTimePassword,
  consumeOneTimePasswordAttempt,
  findNewestOneTimePassword,
  insertOneTimePassword,
  listOpenOneTimePasswords,
} from '@gatehouse/db/queries/one-time-passwords';
import { type Credential, findCredential } from '@gatehouse/db/queries/passwords';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { z } from 'zod';
import { recordRefusal } from '../audit/security-events.js';
import type { Context, Services } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { askedFrom } from '../core/rate-limit/known-device.js';
import { familiarBucket } from '../core/rate-limit/login-limits.js';
import { requireOwnSignIn } from '../core/required-sso.js';
import { consumeMailLimit, limitMailRequests, storeHeldMail } from '../mail/limit-mails.js';
import { writeMail } from '../mail/queue-mail.js';
import { applicationTypeOf, finishSignIn } from './finish-sign-in.js';
import { sessionView } from './password-logins.js';
import { requireOwnSignInOf } from './sso-bypass.js';

/** The holder of one-time passwords for a login name. */
interface OneTimePasswordHolder {
  /** The member's id, or a unique negative number for an unknown name. */
  readonly id: number;
  /** The key of the address a one-time password is mailed to. */
  readonly emailKey: string;
  /** Absent if the name cannot sign in this way. */
  readonly member: (Credential & { readonly email: string }) | undefined;
}

/**
 * The holder of a login name. Roles 0 and 1 and staff use one-time passwords. Every other name gets a holder
 * without mail or a matching password. It runs the same statements, so neither the answer nor its time
 * reveals known names.
 */
async function findOneTimePasswordHolder(services: Services, login: string): Promise<OneTimePasswordHolder> {
  const key = emailKey(login);
  const found = await findCredential(services.db, key);
  const { admin, owner } = services.roles.id;
  const isEligible =
    found !== undefined &&
    isActiveAt(found, services.now()) &&
    (found.isPersonnel || found.roleType === admin || found.roleType === owner);
  if (isEligible && found.email !== null)
    return { id: found.id, emailKey: emailKey(found.email), member: { ...found, email: found.email } };
  return { id: -1 - Number.parseInt(sha256Hex(key).slice(0, 12), 16), emailKey: key, member: undefined };
}

const LIFE_MINUTES = 10;

/** A request this soon after the last one creates no new one-time password. */
const PAUSE_MS = 60_000;

/** Mails a one-time password to an administrator or staff member. The answer is the same for everybody else. */
export const requestOneTimePassword = publicProcedure
  .input(z.object({ email: loginNameSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    await limitMailRequests(ctx);
    await requireOwnSignIn(services, emailKey(input.email));
    const { id, emailKey: mailedTo, member } = await findOneTimePasswordHolder(services, input.email);
    const password = generateOneTimePassword();
    const { SESSION_SECRET: secret } = services.config;
    const digest = digestOneTimePassword(password, { memberId: id, emailKey: mailedTo, secret });
    const nowMs = services.now();
    const expiresAtMs = nowMs + LIFE_MINUTES * 60_000;
    const last = await findNewestOneTimePassword(services.db, id);
    const isTooSoon = last !== undefined && last.createdAtMs > nowMs - PAUSE_MS;
    const share = await askedFrom(ctx, member?.id);
    if (!isTooSoon) {
      await services.db.transaction(async (tx) => {
        const mail = {
          kind: 'oneTimePassword',
          to: member?.email ?? input.email,
          ...(member ? { memberId: id } : { isVoid: true }),
          share,
          data: { password, minutes: LIFE_MINUTES },
        } as const;
        // An address at its mail limit keeps the one-time passwords it has.
        if (!(await consumeMailLimit(tx, services, mail)))
          return void (await storeHeldMail(tx, services, mail));
        const isNew = await insertOneTimePassword(tx, {
          memberId: id,
          digest,
          nowMs,
          expiresAtMs,
          pauseMs: PAUSE_MS,
        });
        if (isNew) await writeMail(tx, services, mail);
      });
    }
    services.wakeups.wake('mail');
    return { message: 'If an account exists for this address, we have sent an email' };
  });

const DAY_MS = 86_400_000;
const MAX_PER_CODE_AND_ADDRESS = 5;
const MAX_PER_CODE = 50;
const MAX_PER_DAY = 200;

/**
 * Counts a comparison with a one-time password before it is made, right or wrong, so concurrent attempts
 * cannot exceed the limits, and several passwords at once make none easier to guess. An attempt over the limit of its address does
 * not count against the other limits.
 * A familiar address has its own daily limit, so that nobody can use up the owner's.
 * @returns whether the password may be compared
 */
async function enforceOneTimePasswordLimit(
  ctx: Context,
  holderId: number,
  passwordId: number,
): Promise<boolean> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const origin = sha256Hex(networkOf(call.address)).slice(0, 32);
  const bucket = await familiarBucket(ctx, holderId);
  const consume = async (key: string, most: number) =>
    (await services.limits.consume({ key: `one-time-password:${key}`, most, windowMs: DAY_MS })).isAllowed;
  return (
    (await consume(`${holderId}:${passwordId}:${origin}`, MAX_PER_CODE_AND_ADDRESS)) &&
    (await consume(`${holderId}:day:${bucket}`, MAX_PER_DAY)) &&
    (await consumeOneTimePasswordAttempt(services.db, passwordId, { most: MAX_PER_CODE, nowMs }))
  );
}

const LIMIT_WINDOW_MS = 15 * 60_000;

/** Used for a holder without a one-time password. */
const NONE = { id: 0, digest: '' };

/**
 * Signs in with a mailed one-time password: one of the newest, once, before it expires, within its attempts, and while
 * it was mailed to the member's address. All other cases are `invalid_credentials`.
 */
export const oneTimePassword = publicProcedure
  .input(z.object({ email: loginNameSchema, password: submittedPasswordSchema }))
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const application = applicationTypeOf(ctx, services.deployment.application);
    await limitPerAddress(ctx, {
      name: 'one-time-password',
      most: services.config.LOGIN_FAILURES_PER_ADDRESS,
      windowMs: LIMIT_WINDOW_MS,
    });
    await requireOwnSignIn(services, emailKey(input.email));
    const holder = await findOneTimePasswordHolder(services, input.email);
    const { member } = holder;
    const { mayTry, right } = await compareOneTimePassword(ctx, holder, input.password);
    if (right === undefined || !member) {
      await recordRefusal(ctx, {
        memberId: member?.id,
        login: input.email,
        outcome: mayTry ? 'failed' : 'locked',
      });
      services.log.security({
        event: mayTry ? 'login.failed' : 'login.limited',
        requestId: call.requestId,
        address: call.address,
        memberId: member?.id,
        reason: 'one_time_password',
      });
      throw new AppError('invalid_credentials', { sent: 'oneTimePassword' });
    }
    await requireOwnSignInOf(ctx, member, { sent: 'oneTimePassword', withoutSso: false });
    const session = await finishSignIn(ctx, member, {
      kind: 'session',
      methods: ['otp-mail'],
      application,
      claim: (tx) => consumeOneTimePassword(tx, right, services.now()),
      provesAddress: true,
    });
    services.wakeups.wake('mail');
    return session;
  });

/** Compares what was sent with each valid one-time password, newest first. */
async function compareOneTimePassword(
  ctx: Context,
  { id, emailKey }: OneTimePasswordHolder,
  sent: string,
): Promise<{ mayTry: boolean; right: number | undefined }> {
  const { db, config, now } = ctx.services;
  const context = { memberId: id, emailKey, secret: config.SESSION_SECRET };
  const open = await listOpenOneTimePasswords(db, id, { most: MAX_PER_CODE, nowMs: now() });
  let mayTry = false;
  for (const password of open.length > 0 ? open : [NONE]) {
    const isCounted = await enforceOneTimePasswordLimit(ctx, id, password.id);
    const matches = matchesOneTimePassword(sent, password.digest, context);
    if (isCounted && matches) return { mayTry: true, right: password.id };
    mayTry ||= isCounted;
  }
  return { mayTry, right: undefined };
}
