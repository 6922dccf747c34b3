import { AppError } from '@gatehouse/auth-core';
import { changeAccess, consumeToken, findDeletedMember, findTokenState } from '@gatehouse/db';
import { z } from 'zod';
import { createLockedReader } from '../access/create-locked-reader.js';
import { publicProcedure } from '../app/procedures.js';
import type { Services } from '../app/services.js';
import { recordAudit } from '../audit/record-audit.js';
import { bringBack, findReturning } from './bring-back.js';

/**
 * Restores a member who deleted themselves, by the mailed link, with the accounts that closed in the
 * deletion, and the memberships of others that would still be given.
 */
export const restoreOwn = publicProcedure
  .meta({ about: { summary: 'Come back after deleting oneself', refuses: ['invalid_token', 'grace_over'] } })
  .input(z.strictObject({ token: z.string() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { memberId, consume, isUsed } = await findRestoration(services, input.token);
    if (isUsed) return { message: 'You were brought back before' };
    const returning = await findReturning(services.db, memberId);
    const accounts = returning.closed;
    await changeAccess(services.db, { members: [memberId], accounts }, async (tx) => {
      const nowMs = services.now();
      if (!(await consumeToken(tx, consume))) return;
      const reader = createLockedReader(tx, nowMs);
      await reader.lockAccounts(accounts, 'exclusive');
      await reader.lockAccounts(returning.placed, 'share');
      for (const id of [memberId, ...returning.granters].toSorted((a, b) => a - b))
        await reader.lockMember(id, id === memberId ? 'exclusive' : 'share');
      await bringBack(ctx, tx, reader, { memberId, actorId: memberId, returning, nowMs });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'member.restored',
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
        after: { accounts },
      });
    });
    services.wakeups.wake('mail');
    return { message: 'Welcome back: sign in as you did before' };
  });

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
