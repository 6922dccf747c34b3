import { AppError } from '@gatehouse/auth-core';
import {
  changeAccess,
  confirmAddress,
  consumePendingAddress,
  consumeToken,
  DuplicateKeyError,
  insertAudit,
  proveOwner,
} from '@gatehouse/db';
import { createLockedReader } from '../access/create-locked-reader.js';
import type { Context } from '../app/context.js';
import { checkPasswordOf } from './check-password-of.js';
import type { Confirmation } from './find-confirmation.js';
import { holdsSessionOf } from './holds-session-of.js';

/**
 * Uses the link up and writes the proof down, in one transaction; false when it was used before.
 * @throws {AppError} `invalid_token` when the address is not the member's any more, `email_taken` when somebody else
 * has it by now, and as `checkPassword` does
 */
export async function settleConfirmation(
  ctx: Context,
  confirmation: Confirmation,
  password: string | undefined,
): Promise<boolean> {
  const { services, call } = ctx;
  const { memberId, emailKey, isPending } = confirmation;
  const expectedPassword =
    password === undefined ? undefined : await checkPasswordOf(ctx, memberId, password);
  const isSignedIn = password === undefined && (await holdsSessionOf(ctx, services.access, memberId));
  const nowMs = services.now();
  try {
    return await changeAccess(services.db, { members: [memberId] }, async (tx) => {
      if (!(await consumeToken(tx, confirmation.consume))) return false;
      const reader = createLockedReader(tx);
      await reader.lockMember(memberId, 'exclusive');
      const settle = isPending ? consumePendingAddress : confirmAddress;
      if (!(await settle(tx, { memberId, emailKey, nowMs }))) throw new AppError('invalid_token');
      const isProof =
        expectedPassword !== undefined || (isSignedIn && (await holdsSessionOf(ctx, reader, memberId)));
      if (isProof) await proveOwner(tx, { memberId, expectedPassword, nowMs });
      await insertAudit(tx, {
        atMs: nowMs,
        action: isPending ? 'address.changed' : 'address.confirmed',
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
        address: call.address,
        requestId: call.requestId,
      });
      return true;
    });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('email_taken', { cause: error });
    throw error;
  }
}
