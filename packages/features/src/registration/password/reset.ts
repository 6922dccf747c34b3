import { AppError, passwordSchema } from '@gatehouse/auth-core';
import {
  changeAccess,
  consumeToken,
  endAllSessions,
  lockPlantedAccounts,
  resetPassword,
} from '@gatehouse/db';
import { z } from 'zod';
import { recordAudit } from '../../audit/record-audit.js';
import { hasHeld, takeOver, takeOverRecord } from '../../authentication/take-over.js';
import { publicProcedure } from '../../core/guard/procedures.js';
import { clearMemberLimits } from '../../core/rate-limit/login-limits.js';
import { appLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';
import { findReset } from './find-reset.js';
import { requireGoodPassword } from './require-good-password.js';

/**
 * Sets a new password with the link from a mail. Whoever can read that mail owns the address. So this
 * confirms the address, resets failed sign-ins, and ends all other access: every session and auth_token, a
 * pending change of address, and, unless the owner was proven before, every connection to a provider and every factor
 * without the switch. Whom the member let in before that proof is switched off until the owner decides.
 */
export const reset = publicProcedure
  .input(z.object({ token: z.string(), password: passwordSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const found = await findReset(services, input.token);
    const { memberId, email, emailKey, passwordChangedAtMs } = found;
    await requireGoodPassword(input.password, found, 'password');
    const hash = await services.passwords.hash(input.password);
    const nowMs = services.now();
    await changeAccess(services.db, { members: [memberId] }, async (tx) => {
      const lockedAccounts = await lockPlantedAccounts(tx, memberId);
      if (!(await consumeToken(tx, found.consume))) throw new AppError('invalid_token');
      const isReset = await resetPassword(tx, { memberId, emailKey, passwordChangedAtMs, hash, nowMs });
      if (!isReset) throw new AppError('invalid_token');
      await endAllSessions(tx, memberId, { nowMs });
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
    return { message: 'The password is set; sign in with it' };
  });
