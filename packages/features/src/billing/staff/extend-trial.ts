import { AppError, subscriptionAt } from '@gatehouse/auth-core';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { openSubscription, setTrial } from '@gatehouse/db/queries/subscriptions';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { procedure } from '../../core/guard/procedure.js';
import { instant, reason } from '../../core/inputs.js';
import { isRunning } from '../account-subscription.js';
import { learnImported } from '../apply-billing-claims.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 90;

/** Extends or restarts the trial of an account. Only for accounts without a provider's subscription that is not over. */
export const extendTrialAsStaff = procedure({ who: 'root' })
  .meta({ about: { summary: 'Let the trial of an account go on', refuses: ['not_found', 'subscribed'] } })
  .input(
    z.object({
      accountId: z.int().positive(),
      /** At most 90 days from now, and not before the current end. */
      until: instant,
      reason,
    }),
  )
  .output(z.object({ message: z.string(), data: z.object({ id: z.int(), trialEndsAt: z.iso.datetime() }) }))
  .mutation(async ({ ctx, input: { accountId, until: untilMs, reason: why } }) => {
    const { config } = ctx.services;
    const data = { id: accountId, trialEndsAt: new Date(untilMs).toISOString() };
    await changeAndRecord(ctx, { announce: { accounts: [accountId] } }, async ({ tx, nowMs }) => {
      const account = await findAccount(tx, accountId);
      if (!account || account.isDeleted) throw new AppError('not_found');
      const row = await openSubscription(tx, { accountId, nowMs });
      const now = subscriptionAt(row, {
        nowMs,
        graceMs: config.PAST_DUE_GRACE_DAYS * DAY_MS,
        pauseEndsAccess: config.BILLING_PAUSE_ENDS_ACCESS,
      });
      const isPaid = row.provider !== null && (isRunning(row) || now.active);
      if (isPaid) throw new AppError('subscribed');
      const presentMs = now.active ? row.trialEndsAtMs : null;
      requireLater(untilMs, presentMs, nowMs);
      if (presentMs === untilMs) return { result: undefined, record: undefined };
      // Imported ids are kept with the customer.
      if (row.lastEventId === null) await learnImported(tx, row, nowMs);
      await setTrial(tx, { accountId, trialEndsAtMs: untilMs, nowMs });
      const { trialEndsAtMs } = row;
      return {
        result: undefined,
        record: {
          action: 'subscription.trial-extended',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: {
            state: now.state,
            trialEndsAt: trialEndsAtMs === null ? null : new Date(trialEndsAtMs).toISOString(),
          },
          after: { state: 'trialing', trialEndsAt: data.trialEndsAt, reason: why },
        },
      };
    });
    return { message: 'The trial has been extended', data };
  });

/** @throws {AppError} `invalid_input` */
function requireLater(untilMs: number, presentMs: number | null, nowMs: number): void {
  const message =
    untilMs <= nowMs || untilMs > nowMs + MAX_DAYS * DAY_MS
      ? `This has to lie ahead, by ${MAX_DAYS} days at most`
      : presentMs !== null && untilMs < presentMs
        ? 'The trial ends later already'
        : undefined;
  if (message !== undefined) throw new AppError('invalid_input', { issues: [{ path: 'until', message }] });
}
