import {
  AppError,
  emailKey,
  loginNameSchema,
  passwordSchema,
  TOKEN_LIVES_SECONDS,
} from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findTokenState } from '@gatehouse/db/queries/find-token-state';
import { isActiveAt, isProven } from '@gatehouse/db/queries/member-columns';
import { findCredential, resetPassword } from '@gatehouse/db/queries/passwords';
import { findMemberAddress, findReturningHolder } from '@gatehouse/db/queries/read-members';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { lockPlantedAccounts } from '@gatehouse/db/queries/take-member-over';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { requireOwnSignInStill } from '../authentication/sso-bypass.js';
import { hasHeld, takeOver, takeOverRecord } from '../authentication/take-over.js';
import type { Services } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { askedFrom } from '../core/rate-limit/known-device.js';
import { clearMemberLimits } from '../core/rate-limit/login-limits.js';
import { requireOwnSignIn } from '../core/required-sso.js';
import { appLink, resetLink } from '../mail/app-link.js';
import { limitMailRequests } from '../mail/limit-mails.js';
import { queueMail } from '../mail/queue-mail.js';
import { mailReturn } from '../mail/restore-link.js';
import { requireGoodPassword } from './change-own-password.js';

/** The member id in the link of a mail that is never delivered; no member has it. */
const NOBODY = Number.MAX_SAFE_INTEGER;

/**
 * Mails a link to set a new password. The answer and the work are the same for an unknown address: the mail
 * is written too, and never delivered. Somebody who deleted themselves gets the link to come back in its place.
 */
export const forgot = publicProcedure
  .input(z.object({ email: loginNameSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    await limitMailRequests(ctx);
    const key = emailKey(input.email);
    await requireOwnSignIn(services, key);
    const nowMs = services.now();
    const found = await findCredential(services.db, key);
    const member = await findMemberAddress(services.db, found?.id ?? NOBODY);
    const deleted = await findReturningHolder(services.db, { emailKey: key, nowMs });
    const isOpen = member && isActiveAt(member, nowMs);
    const recipient = isOpen && member.email !== null ? { ...member, email: member.email } : undefined;
    const subject = recipient ?? { id: NOBODY, email: input.email, passwordChangedAtMs: null };
    const data = {
      link: resetLink(services, subject, TOKEN_LIVES_SECONDS.passwordReset),
      minutes: TOKEN_LIVES_SECONDS.passwordReset / 60,
    };
    const share = await askedFrom(ctx, recipient?.id ?? deleted?.id);
    await services.db.transaction(async (tx) => {
      if (recipient === undefined && deleted !== undefined)
        return mailReturn(tx, services, { deleted, share });
      await queueMail(tx, services, {
        kind: 'passwordReset',
        to: recipient?.email ?? input.email,
        ...(recipient ? { memberId: recipient.id } : { isVoid: true }),
        share,
        data,
      });
    });
    services.wakeups.wake('mail');
    return { message: 'If an account exists for this address, we have sent an email' };
  });

/** The current state of a password-reset link. */
interface Reset {
  readonly memberId: number;
  readonly username: string;
  readonly email: string;
  readonly emailKey: string;
  readonly isConfirmed: boolean;
  readonly isPersonnel: boolean;
  /** When the forgotten password was set; null if it was never changed, undefined if an unproven person knows it. */
  readonly passwordChangedAtMs: number | null | undefined;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The member of a password-reset link.
 * @throws {AppError} `invalid_token` if the link is invalid, used or expired, or if the address or the password has changed
 * since. While an unproven person knows the password, they may have planted the address, and their changes of the password do not
 * end it. `sso_required` if their account requires its identity provider by now.
 */
export async function findReset(services: Services, token: string): Promise<Reset> {
  const opened = services.tokens.openOneUse(token, ['passwordReset']);
  const [member, state] = opened
    ? await Promise.all([
        findMemberAddress(services.db, opened.userId),
        findTokenState(services.db, opened.tokenKey),
      ])
    : [];
  if (!opened || !member || !isActiveAt(member, services.now())) {
    throw new AppError('invalid_token');
  }
  const { email, emailKey: key } = member;
  const isTheirs =
    email !== null && key !== null && opened.email !== undefined && emailKey(opened.email) === key;
  const mayBePlanted = !isProven(member) && member.hasPassword;
  const passwordChangedAtMs = mayBePlanted ? undefined : member.passwordChangedAtMs;
  const isSamePassword =
    passwordChangedAtMs === undefined || opened.passwordChangedAtMs === passwordChangedAtMs;
  if (!isTheirs || !isSamePassword || state?.isRevoked) throw new AppError('invalid_token');
  await requireOwnSignInStill(services, member);
  return {
    memberId: member.id,
    username: member.username,
    email,
    emailKey: key,
    isConfirmed: member.emailConfirmedAtMs !== null,
    isPersonnel: member.isPersonnel,
    passwordChangedAtMs,
    consume: { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs },
  };
}

/**
 * Sets a new password with the link from a mail. A person who can read that mail owns the address. So this confirms the address,
 * resets failed sign-ins, and ends all other access: every session and auth_token, a pending change of address, and, unless the
 * owner was proven before, every connection to a provider and every factor without the switch. People whom the member admitted
 * before that proof are suspended until the owner decides.
 */
export const reset = publicProcedure
  .input(z.object({ token: z.string(), password: passwordSchema }))
  .output(
    z.object({
      message: z.string(),
      /** The console, for staff to sign in at; absent for others, or where ADMIN_URL is not set. */
      console: z.url().optional(),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const found = await findReset(services, input.token);
    const { memberId, email, emailKey, passwordChangedAtMs } = found;
    await requireGoodPassword(input.password, found, 'password');
    const hash = await services.passwords.hash(input.password);
    const nowMs = services.now();
    await changeAccess(services.db, { members: [memberId] }, async (tx) => {
      const lockedAccounts = await lockPlantedAccounts(tx, memberId);
      await requireOwnSignInStill({ ...services, db: tx }, { ...found, id: memberId });
      if (!(await consumeToken(tx, found.consume))) throw new AppError('invalid_token');
      const isReset = await resetPassword(tx, { memberId, emailKey, passwordChangedAtMs, hash, nowMs });
      if (!isReset) throw new AppError('invalid_token');
      await endAllSessions(tx, memberId, { nowMs, reason: 'password_changed', endedById: memberId });
      await clearMemberLimits(services, tx, memberId);
      const proven = { memberId, password: hash, hasPassword: true, lockedAccounts, nowMs };
      const ended = await takeOver(tx, ctx, proven);
      const data = {
        atMs: nowMs,
        link: appLink(services.config, 'forgot'),
        isFirstProof: ended !== undefined,
        hasHeld: hasHeld(ended),
      };
      await queueMail(tx, services, { kind: 'passwordChanged', to: email, memberId, data });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'password.reset',
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
        after: takeOverRecord(ended),
      });
    });
    services.wakeups.wake('mail');
    services.log.security({
      event: 'password.reset',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    const { ADMIN_URL } = services.config;
    return {
      message: 'The password has been changed. You can sign in with it now',
      ...(found.isPersonnel && ADMIN_URL !== undefined && { console: `${ADMIN_URL}/console/` }),
    };
  });
