import { AppError, passwordSchema } from '@gatehouse/auth-core';
import {
  changeAccess,
  consumeToken,
  endAllSessions,
  insertAudit,
  resetPassword,
  takeMemberOver,
} from '@gatehouse/db';
import { clearMemberLimits } from '@gatehouse/features/app/clear-member-limits';
import { publicProcedure } from '@gatehouse/features/app/procedures';
import { appLink } from '@gatehouse/features/mail/app-link';
import { queueMail } from '@gatehouse/features/mail/queue-mail';
import { requireGoodPassword } from '@gatehouse/features/password/require-good-password';
import { z } from 'zod';
import { findReset } from './find-reset.js';

/**
 * Sets a new password with the link from a mail. Who can read that mail owns the address, so this confirms it, forgets
 * failed attempts to sign in, and ends whatever somebody else may hold: every session and auth_token, an address change
 * under way, and, unless the owner was proven before, every sign-in of a provider that was connected until then.
 */
export const reset = publicProcedure
  .input(z.object({ token: z.string(), password: passwordSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { kit, call } = ctx;
    const found = await findReset(kit, input.token);
    const { memberId, email, emailKey, passwordChangedAtMs } = found;
    await requireGoodPassword(input.password, found, 'password');
    const hash = await kit.passwords.hash(input.password);
    const nowMs = kit.now();
    await changeAccess(kit.db, { members: [memberId] }, async (tx) => {
      if (!(await consumeToken(tx, found.consume))) throw new AppError('invalid_token');
      const isReset = await resetPassword(tx, { memberId, emailKey, passwordChangedAtMs, hash, nowMs });
      if (!isReset) throw new AppError('invalid_token');
      await endAllSessions(tx, memberId, { nowMs });
      await clearMemberLimits(kit, tx, memberId);
      const ended = await takeMemberOver(tx, { memberId, password: hash, nowMs });
      const data = { atMs: nowMs, link: appLink(kit.config, 'forgot'), isFirstProof: ended !== undefined };
      await queueMail(tx, kit, { kind: 'passwordChanged', to: email, memberId, data });
      await insertAudit(tx, {
        atMs: nowMs,
        action: 'password.reset',
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
        address: call.address,
        requestId: call.requestId,
        after: { removedConnections: ended?.connections ?? 0 },
      });
    });
    kit.wakeups.wake('mail');
    kit.log.security({
      event: 'password.reset',
      requestId: call.requestId,
      address: call.address,
      memberId,
    });
    return { message: 'The password is set; sign in with it' };
  });
