import { type AccessTransaction, listOwnersOfAccount, revokeInvitations, shutAccount } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { mailName } from '../../mail/mail-name.js';
import { queueMail } from '../../mail/queue-mail.js';
import { graceEnd } from './grace-end.js';

/** How an account is closed: by its primary owner, by staff, or by the deletion of its last member. */
export interface Closing {
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
      link: config.APP_URL,
    };
    await queueMail(tx, services, { kind: 'accountClosed', to: email, memberId, data });
  }
  return { erasesAtMs };
}
