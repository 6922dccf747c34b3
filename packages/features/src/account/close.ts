import { AppError } from '@gatehouse/auth-core';
import { type AccountDetail, type Database, findAccount, findSubscription } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../audit/make-change.js';
import { cancelAtProvider } from '../billing/provider/cancel-at-provider.js';
import { closeWithPayments } from '../billing/provider/close-with-payments.js';
import { endUnpaidCheckout } from '../billing/provider/end-unpaid-checkout.js';
import { isRunning } from '../billing/subscription/is-running.js';
import { freshOwnerProcedure } from '../core/guard/procedures.js';
import { closeAccount } from './ownership/close-account.js';

/**
 * Closes the account to everybody as of the answer. Its primary owner can restore it until its data is
 * erased. On request its subscription is canceled at the provider first, and an open checkout ends. If that
 * fails, the account stays open.
 */
export const close = freshOwnerProcedure
  .meta({ about: { summary: 'Close the account', refuses: ['subscribed', 'provider_failed'] } })
  .input(
    z.object({
      /** The current name of the account, as a confirmation that the right one is closed. */
      name: z.string(),
      /** Whether to cancel the account's subscription. */
      cancelSubscription: z.boolean().default(false),
    }),
  )
  .output(z.object({ message: z.string(), data: z.object({ id: z.int(), erasedAt: z.iso.datetime() }) }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    await requireClosable(services.db, accountId, input);
    const end = input.cancelSubscription ? cancelAtProvider : endUnpaidCheckout;
    const closing = await closeWithPayments(ctx, [accountId], end, (confirm) =>
      makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, decided) => {
        const account = await requireClosable(tx, accountId, input);
        await confirm(tx);
        const closed = await closeAccount(tx, services, {
          account,
          closedById: decided.caller.memberId,
          nowMs,
        });
        if (!closed) throw new AppError('account_forbidden');
        return {
          result: closed,
          record: {
            action: 'account.closed',
            accountId,
            subjectKind: 'account',
            subjectId: accountId,
            before: { name: account.name },
            after: closed,
          },
        };
      }),
    );
    services.wakeups.wake('mail');
    const erasedAt = new Date(closing.erasesAtMs).toISOString();
    return { message: 'The account is closed', data: { id: accountId, erasedAt } };
  });

/** The provider's event reports the cancellation; it may arrive later. */
async function requireClosable(
  db: Database,
  accountId: number,
  { name, cancelSubscription }: { name: string; cancelSubscription: boolean },
): Promise<AccountDetail> {
  const account = await findAccount(db, accountId);
  if (!account) throw new AppError('account_forbidden');
  if (name !== account.name) {
    const issues = [{ path: 'name', message: 'This is not the name of the account' }];
    throw new AppError('invalid_input', { issues });
  }
  const subscription = await findSubscription(db, accountId);
  if (subscription && isRunning(subscription) && !cancelSubscription) throw new AppError('subscribed');
  return account;
}
