import type { Database } from '@gatehouse/db/database';
import { changeKeyNotice, type DueKeyNotice, listDueKeyNotices } from '@gatehouse/db/queries/machines';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { consoleLink, screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

const DAY_MS = 86_400_000;

/** How long before the end of a key its managers get mail. */
const NOTICES_MS = [14 * DAY_MS, 3 * DAY_MS] as const;

const AT_ONCE = 100;

/** When the next mail about the end of a key is due; null for none. */
export function firstNotice(expiresAtMs: number, nowMs: number): number | null {
  return NOTICES_MS.map((ms) => expiresAtMs - ms).find((atMs) => atMs > nowMs) ?? null;
}

/** Notifies those who manage keys that one ends soon. */
export const keyNotices: Job<Services> = {
  name: 'key-notices',
  everyMs: 600_000,
  async run(services) {
    const { db, now } = services;
    const due = await listDueKeyNotices(db, { nowMs: now(), limit: AT_ONCE });
    for (const key of due) await db.transaction((tx) => tellOfEnd(tx, services, key));
    if (due.length > 0) services.wakeups.wake('mail');
    return due.length;
  },
};

async function tellOfEnd(tx: Database, services: Services, key: DueKeyNotice): Promise<void> {
  const nowMs = services.now();
  const { id, noticeAtMs, expiresAtMs } = key;
  const next = firstNotice(expiresAtMs, nowMs);
  if (!(await changeKeyNotice(tx, { id, from: noticeAtMs, to: next }))) return;
  if (expiresAtMs <= nowMs) return;
  const data = { ...(await mailedKey(tx, services, key)), atMs: expiresAtMs };
  for (const { memberId, email } of await managersOf(tx, key.accountId))
    await queueMail(tx, services, { kind: 'keyExpiring', to: email, memberId, data });
}

/** What mails say of a key: its name, those of its machine and its account, and where those who manage it see it. */
export async function mailedKey(
  db: Database,
  { config }: Pick<Services, 'config'>,
  { name, machineName, accountId }: Pick<DueKeyNotice, 'name' | 'machineName' | 'accountId'>,
) {
  const account = accountId === null ? undefined : await findAccount(db, accountId);
  return {
    keyName: mailName(name),
    machineName: mailName(machineName),
    accountName: account && mailName(account.name),
    link:
      accountId === null
        ? consoleLink(config, 'developers')
        : screenLink(config, `a/${accountId}/developers`),
  };
}
