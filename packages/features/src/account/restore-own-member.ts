import { AppError, submittedPasswordSchema } from '@gatehouse/auth-core';
import { findTokenState } from '@gatehouse/db/queries/find-token-state';
import { findDeletedMember, findMemberAddress } from '@gatehouse/db/queries/read-members';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { z } from 'zod';
import { mailedCodeSchema, queueCode } from '../authentication/second-factor/factor-codes.js';
import type { Config } from '../core/config.js';
import type { Context, Services } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { askedFrom } from '../core/rate-limit/known-device.js';
import { limitMailRequests } from '../mail/limit-mails.js';
import { checkOwnerProof } from '../registration/owner-proof.js';
import { comeBack } from './bring-back.js';

const input = z
  .strictObject({
    token: z.string(),
    password: submittedPasswordSchema.optional(),
    /** The digits of the mail that a call without a proof sends. */
    emailCode: mailedCodeSchema.optional(),
  })
  .refine(({ password, emailCode }) => password === undefined || emailCode === undefined, {
    message: 'Send at most one of password and emailCode',
  });

/**
 * Restores a member who deleted themselves, by the mailed link, with the accounts that closed in the
 * deletion, and the memberships of others that would still be given. The link alone brings nobody back, because a program may
 * have followed it: it takes the password or a code. Without either, a code is mailed.
 */
export const restoreOwnMember = publicProcedure
  .meta({
    about: {
      summary: 'Come back after deleting oneself',
      refuses: ['invalid_token', 'grace_over', 'proof_required', 'invalid_credentials', 'rate_limited'],
      credentials: ['password', 'code'],
    },
  })
  .input(input)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { token, ...sent } }) => {
    const { services } = ctx;
    const { memberId, consume, isUsed } = await findRestoration(services, token);
    if (isUsed) return { message: 'Your account has already been restored' };
    if (sent.password === undefined && sent.emailCode === undefined) {
      await mailCode(ctx, memberId, consume.tokenKey);
      throw new AppError('proof_required');
    }
    const proof = await checkOwnerProof(ctx, {
      memberId,
      sent,
      boundKey: consume.tokenKey,
      // Of several calls at once the first brings them back.
      admits: () => true,
    });
    await comeBack(ctx, { memberId, proof, claim: (tx) => consumeToken(tx, consume) });
    return { message: 'Your account has been restored. You can sign in again' };
  });

/** Mails a code that is valid only with this link. */
async function mailCode(ctx: Context, memberId: number, boundKey: string): Promise<void> {
  const { services } = ctx;
  await limitMailRequests(ctx);
  const to = (await findMemberAddress(services.db, memberId))?.email ?? null;
  if (to === null) throw new AppError('invalid_token');
  const request = { memberId, boundKey, to, askedFrom: await askedFrom(ctx, memberId) };
  await services.db.transaction((tx) => queueCode(tx, services, request));
  services.wakeups.wake('mail');
}

/** The current state of a restore link. */
export async function findRestoration(services: Services, token: string) {
  const opened = services.tokens.openOneUse(token, ['memberRestore']);
  // The link is read after the member, so that a concurrent restoration is reported as a used link.
  const member = opened && (await findDeletedMember(services.db, opened.userId));
  const state = opened && (await findTokenState(services.db, opened.tokenKey));
  if (!opened || opened.erasesAtMs === undefined || !member) throw new AppError('invalid_token');
  const { userId: memberId, tokenKey, expiresAtMs, erasesAtMs } = opened;
  const isUsed = state?.isRevoked === true;
  if (!isUsed && services.now() >= erasesAtMs) throw new AppError('grace_over');
  const isTheirs = member.erasesAtMs === erasesAtMs && member.deletedById === null;
  if (!isUsed && !isTheirs) throw new AppError('invalid_token');
  return { memberId, isUsed, erasesAtMs, consume: { tokenKey, expiresAtMs } };
}

/** Shows until when a link brings a deleted member back, and changes nothing. */
export const restorationDetails = publicProcedure
  .meta({
    about: {
      summary: 'Tell until when a link brings somebody back who deleted themselves',
      refuses: ['invalid_token', 'grace_over'],
    },
  })
  .input(z.strictObject({ token: z.string() }))
  .output(z.object({ erasedAt: z.iso.datetime(), isUsed: z.boolean() }))
  .query(async ({ ctx, input }) => {
    const { isUsed, erasesAtMs } = await findRestoration(ctx.services, input.token);
    return { erasedAt: new Date(erasesAtMs).toISOString(), isUsed };
  });

const DAY_MS = 86_400_000;

/** The earliest deletion by staff that staff can undo. */
export function restorableSince(
  { MEMBER_GRACE_DAYS }: Pick<Config, 'MEMBER_GRACE_DAYS'>,
  nowMs: number,
): number {
  return nowMs - MEMBER_GRACE_DAYS * DAY_MS;
}
