import type { Database } from '@gatehouse/db/database';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { type DueScimNotice, endScimNotice, listDueScimNotices } from '@gatehouse/db/queries/scim-tokens';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

/** How long before the end of a token its owners get mail. */
const NOTICE_MS = 14 * 86_400_000;

const AT_ONCE = 100;

/** When the mail about the end of a token is due; null for a token that ends before. */
export function noticeOf(expiresAtMs: number, nowMs: number): number | null {
  return expiresAtMs - NOTICE_MS > nowMs ? expiresAtMs - NOTICE_MS : null;
}

/** Notifies the owners of an account that a token of their directory ends soon. */
export const scimTokenNotices: Job<Services> = {
  name: 'scim-token-notices',
  everyMs: 600_000,
  async run(services) {
    const { db, now } = services;
    const due = await listDueScimNotices(db, { nowMs: now(), limit: AT_ONCE });
    for (const token of due) await db.transaction((tx) => tellOfEnd(tx, services, token));
    if (due.length > 0) services.wakeups.wake('mail');
    return due.length;
  },
};

async function tellOfEnd(tx: Database, services: Services, token: DueScimNotice): Promise<void> {
  const { accountId, expiresAtMs, name } = token;
  if (!(await endScimNotice(tx, token))) return;
  if (expiresAtMs <= services.now()) return;
  const account = await findAccount(tx, accountId);
  const data = {
    tokenName: mailName(name),
    accountName: account && mailName(account.name),
    atMs: expiresAtMs,
    link: screenLink(services.config, `a/${accountId}/settings/directory`),
  };
  for (const { memberId, email } of await managersOf(tx, accountId))
    await queueMail(tx, services, { kind: 'scimTokenExpiring', data, to: email, memberId });
}
