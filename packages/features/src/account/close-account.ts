import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { revokeInvitations } from '@gatehouse/db/queries/invitations';
import { type AccountDetail, findAccount, listOwnersOfAccount } from '@gatehouse/db/queries/read-accounts';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { isRunning } from '../billing/account-subscription.js';
import { cancelAtProvider, endUnpaidCheckout } from '../billing/cancel-at-provider.js';
import { closeWithPayments } from '../billing/close-with-payments.js';
import type { Services } from '../core/context.js';
import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

const DAY_MS = 86_400_000;

/**
 * When restorable data is erased. Erasure uses the database's clock. Without this, a node whose clock is behind would compute a
 * grace period shorter than promised.
 */
export async function graceEnd(
  tx: Database,
  { graceDays, nowMs }: { graceDays: number; nowMs: number },
): Promise<number> {
  return Math.max(nowMs, await readDatabaseTime(tx)) + graceDays * DAY_MS;
}

/** How an account is closed: by its primary owner, by staff, or by the deletion of its last member. */
interface Closing {
  readonly account: { readonly id: number; readonly name: string };
  readonly closedById: number;
  /** The member whose deletion closes the account; restoring them reopens it. */
  readonly closedWithMemberId?: number;
  readonly nowMs: number;
}

/**
 * Closes an account that the caller's transaction has locked, and notifies its owners. The caller adds the
 * account to the change log, so that every node refuses access. Undefined if it was closed before.
 */
export async function closeAccount(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  { account, nowMs, ...closing }: Closing,
): Promise<{ readonly erasesAtMs: number } | undefined> {
  const { config } = services;
  const erasesAtMs = await graceEnd(tx, { graceDays: config.ACCOUNT_GRACE_DAYS, nowMs });
  if (!(await shutAccount(tx, { accountId: account.id, ...closing, erasesAtMs, nowMs }))) return undefined;
  await revokeInvitations(tx, { accountId: account.id, endedById: closing.closedById, nowMs });
  for (const { memberId, email } of await listOwnersOfAccount(tx, account.id)) {
    const data = {
      accountName: mailName(account.name),
      atMs: nowMs,
      erasesAtMs,
      link: screenLink(config, ''),
    };
    await queueMail(tx, services, { kind: 'accountClosed', to: email, memberId, data });
  }
  return { erasesAtMs };
}

/**
 * Closes the account to everybody as of the answer. Its primary owner can restore it until its data is
 * erased. On request its subscription is canceled at the provider first, and an open checkout ends. If that
 * fails, the account stays open.
 */
export const closeOwnAccount = accountProcedure('account.manage', {
  inPerson: true,
  fresh: FRESH,
  primaryOwner: true,
})
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
      changeAndRecord(ctx, { announce: { accounts: [accountId] } }, async ({ tx, nowMs, caller }) => {
        const account = await requireClosable(tx, accountId, input);
        await confirm(tx);
        const closed = await closeAccount(tx, services, {
          account,
          closedById: caller.memberId,
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
    return { message: 'The organization is closed', data: { id: accountId, erasedAt } };
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
    const issues = [{ path: 'name', message: 'This is not the name of the organization' }];
    throw new AppError('invalid_input', { issues });
  }
  const subscription = await findSubscription(db, accountId);
  if (subscription && isRunning(subscription) && !cancelSubscription) throw new AppError('subscribed');
  return account;
}
