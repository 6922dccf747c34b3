import { AppError } from '@gatehouse/auth-core';
import { setAuthToken } from '@gatehouse/db/queries/change-session';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { FRESH_WITH_FACTOR } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { authTokenDigest, makeAuthToken } from '../../core/guard/service-callers.js';

const LIFE_MS = 90 * 86_400_000;

/**
 * Gives a staff member an auth_token, which replaces the last one. It is shown only this once; only its digest
 * is stored. It ends after 90 days or with the password.
 */
export const issueAuthToken = staffProcedure(undefined, { fresh: FRESH_WITH_FACTOR })
  .output(z.object({ token: z.string(), expiresAt: z.iso.datetime() }))
  .mutation(async ({ ctx }) => {
    const { memberId } = ctx.caller;
    const token = makeAuthToken();
    const expiresAtMs = ctx.services.now() + LIFE_MS;
    const expiresAt = new Date(expiresAtMs).toISOString();
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
      const isSet = await setAuthToken(tx, {
        memberId,
        token: { digest: authTokenDigest(token), expiresAtMs },
        nowMs,
      });
      if (!isSet) throw new AppError('unauthorized');
      return {
        result: undefined,
        record: {
          action: 'auth-token.issued',
          subjectKind: 'member',
          subjectId: memberId,
          before: null,
          after: { expiresAt },
        },
      };
    });
    const { address, requestId } = ctx.call;
    ctx.services.log.security({ event: 'token.issued', requestId, address, actorId: memberId, memberId });
    return { token, expiresAt };
  });
