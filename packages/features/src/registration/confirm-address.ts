import { AppError, emailKey, submittedPasswordSchema } from '@gatehouse/auth-core';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { confirmAddress, setPendingAwaits } from '@gatehouse/db/queries/pending-addresses';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { backupCodeSchema, totpCodeSchema } from '../authentication/second-factor/factor-codes.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context, Services } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { awaitedEnds } from '../core/member-view.js';
import { moveAddress, takesProofToMove } from './move-address.js';
import { checkOwnerProof, type OwnerProof } from './owner-proof.js';

/** The current state of an activation link. */
interface Confirmation {
  readonly memberId: number;
  readonly username: string;
  readonly email: string;
  readonly emailKey: string;
  /** Whether the address is to replace the member's present one. */
  readonly isPending: boolean;
  /** The session that requested a first address. */
  readonly sessionId: number | undefined;
  readonly isConfirmed: boolean;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The member and address of an activation link, even after it was used.
 * @throws {AppError} `invalid_token` if the link is invalid or expired, or for an address that is no longer
 * theirs
 */
async function findConfirmation(services: Services, token: string): Promise<Confirmation> {
  const opened = services.tokens.openOneUse(token, ['emailVerification']);
  const member = opened && (await findMemberAddress(services.db, opened.userId));
  if (!opened || !member || !isActiveAt(member, services.now())) {
    throw new AppError('invalid_token');
  }
  // A link of the replaced system has no address; it can only be the one the member registered with.
  const key = opened.email === undefined ? member.emailKey : emailKey(opened.email);
  const isPending = opened.email !== undefined && member.pendingEmailKey === key;
  const email = isPending ? member.pendingEmail : member.email;
  if (key === null || email === null || !(isPending || member.emailKey === key)) {
    throw new AppError('invalid_token');
  }
  return {
    memberId: member.id,
    username: member.username,
    email,
    emailKey: key,
    isPending,
    sessionId: opened.sessionId,
    isConfirmed: isPending ? !awaitedEnds(member).includes('new') : member.emailConfirmedAtMs !== null,
    consume: { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs },
  };
}

/**
 * Consumes the link and records the proof, in one transaction; undefined if it was used before.
 * @throws {AppError} `invalid_token` if the address is no longer the member's, `email_taken` if somebody else
 * has it by now, `password_required` without a proof for the next address of a member with a second factor, and as
 * `checkPassword` and `checkCodeProof` do
 */
async function settleConfirmation(
  ctx: Context,
  confirmation: Confirmation,
  sent: OwnerProof,
): Promise<{ readonly awaitsOld: boolean } | undefined> {
  const { services } = ctx;
  const { memberId, isPending } = confirmation;
  const checked = await checkOwnerProof(ctx, { memberId, sent });
  const nowMs = services.now();
  const settled = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    if (!(await consumeToken(tx, confirmation.consume))) return undefined;
    const reader = createLockedReader(tx, nowMs);
    await reader.lockMember(memberId, 'exclusive');
    const isProof = await checked.isShown(tx, reader, nowMs);
    const awaitsOld = await settle(tx, services, { confirmation, isProof });
    if (isProof && !awaitsOld)
      await proveOwner(tx, { memberId, expectedPassword: checked.expectedPassword, nowMs });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: isPending && !awaitsOld ? 'address.changed' : 'address.confirmed',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
    });
    return { awaitsOld };
  }).catch(async (error: unknown) => {
    await checked.afterRefusal(error);
    throw error;
  });
  await checked.succeed();
  if (settled !== undefined) services.wakeups.wake('mail');
  return settled;
}

/**
 * Whether the present mailbox has yet to agree. The rows are locked, so this cannot change before the write.
 */
async function settle(
  tx: AccessTransaction,
  services: Services,
  { confirmation, isProof }: { confirmation: Confirmation; isProof: boolean },
): Promise<boolean> {
  const { memberId, emailKey, isPending, sessionId } = confirmation;
  const nowMs = services.now();
  if (!isPending) {
    if (!(await confirmAddress(tx, { memberId, emailKey, nowMs }))) throw new AppError('invalid_token');
    return false;
  }
  const awaits = isProof ? 'proven' : 'old';
  const address = await findMemberAddress(tx, memberId);
  if (!isProof && (await takesProofToMove(tx, memberId))) throw new AppError('password_required');
  // Another link to the new mailbox was used since this one was read.
  if (address?.pendingEmailKey === emailKey && !awaitedEnds(address).includes('new')) return true;
  if (await setPendingAwaits(tx, { memberId, emailKey, awaits, nowMs })) {
    const holder = await findCredential(tx, emailKey);
    if (holder !== undefined && holder.id !== memberId) throw new AppError('email_taken');
    return true;
  }
  await moveAddress(tx, services, { memberId, emailKey, sessionId });
  return false;
}

const input = z
  .object({
    token: z.string(),
    password: submittedPasswordSchema.optional(),
    code: totpCodeSchema.optional(),
    backupCode: backupCodeSchema.optional(),
  })
  .refine(
    ({ token: _token, ...proof }) => Object.values(proof).filter((sent) => sent !== undefined).length <= 1,
    { message: 'Send at most one of password, code and backupCode' },
  );

/**
 * Confirms the address of an activation link. A second use changes nothing and says so. With the password, a code of the
 * authenticator app, a backup code, or a session of the member, it also proves that the mailbox's owner is the member. The next
 * address of a member with a second factor requires such a proof.
 */
export const confirm = publicProcedure
  .input(input)
  .output(
    z.object({
      message: z.string(),
      email: z.string(),
      alreadyConfirmed: z.boolean(),
      /** Whether the address takes the place of another once the mailbox of that one agrees. */
      awaitsOld: z.boolean(),
    }),
  )
  .mutation(async ({ ctx, input: { token, ...proof } }) => {
    const { services, call } = ctx;
    const confirmation = await findConfirmation(services, token);
    const { email, memberId, isPending } = confirmation;
    const settled = confirmation.isConfirmed ? undefined : await settleConfirmation(ctx, confirmation, proof);
    if (settled === undefined)
      return {
        message: 'This address is already confirmed',
        email,
        alreadyConfirmed: true,
        awaitsOld: isPending,
      };
    services.log.security({
      event: 'address.confirmed',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    return { message: 'The address is confirmed', email, alreadyConfirmed: false, ...settled };
  });

/** Shows the address of an activation link and changes nothing, because mail scanners follow links. */
export const confirmationDetails = publicProcedure
  .input(z.object({ token: z.string() }))
  .output(
    z.object({
      email: z.string(),
      username: z.string(),
      alreadyConfirmed: z.boolean(),
      /** Whether it is to become the address of a member who registered without it. */
      isChange: z.boolean(),
      /** Whether it is the next address of a member with a second factor, which a click alone does not confirm. */
      asksProof: z.boolean(),
    }),
  )
  .query(async ({ ctx: { services }, input }) => {
    const { memberId, email, username, isConfirmed, isPending } = await findConfirmation(
      services,
      input.token,
    );
    const asksProof = isPending && !isConfirmed && (await takesProofToMove(services.db, memberId));
    return { email, username, alreadyConfirmed: isConfirmed, isChange: isPending, asksProof };
  });
