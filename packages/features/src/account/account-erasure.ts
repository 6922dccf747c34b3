import {
  changeAccess,
  eraseAccount,
  listDueEndings,
  listOwnersOfAccount,
  listUntoldEndings,
  readDatabaseTime,
  setErasureTold,
} from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

const TOLD_BEFORE_MS = 3 * 86_400_000;
const AT_ONCE = 20;
/** Rows per transaction. */
const PART = 500;

/** Erases the data of closed accounts when their grace is over, and notifies the owners three days before. */
export const accountErasure: Job<Services> = {
  name: 'account-erasure',
  everyMs: 60_000,
  run: async (services) => (await tellOwners(services)) + (await eraseAccounts(services)),
};

async function tellOwners(services: Services): Promise<number> {
  const { db, config } = services;
  const nowMs = await readDatabaseTime(db);
  const untold = await listUntoldEndings(db, { byMs: nowMs + TOLD_BEFORE_MS, limit: AT_ONCE });
  let told = 0;
  for (const { id, name, closedAtMs, erasesAtMs } of untold) {
    const isTold = await db.transaction(async (tx) => {
      if (!(await setErasureTold(tx, { id, erasesAtMs, nowMs }))) return false;
      for (const { memberId, email } of await listOwnersOfAccount(tx, id)) {
        const data = {
          accountName: mailName(name),
          atMs: closedAtMs,
          erasesAtMs,
          link: config.APP_URL,
          isReminder: true,
        };
        await queueMail(tx, services, { kind: 'accountClosed', to: email, memberId, data });
      }
      return true;
    });
    if (isTold) told += 1;
  }
  if (told > 0) services.wakeups.wake('mail');
  return told;
}

async function eraseAccounts(services: Services): Promise<number> {
  const { db } = services;
  // A wrong clock of one node must not erase anything.
  const due = await listDueEndings(db, { byMs: await readDatabaseTime(db), limit: AT_ONCE });
  for (const { id: accountId } of due) {
    await changeAccess(db, { accounts: [accountId] }, async (tx) => {
      const nowMs = await readDatabaseTime(tx);
      if (!(await eraseAccount(tx, { accountId, nowMs, limit: PART }))) return;
      const record = { action: 'account.erased', accountId, subjectKind: 'account', subjectId: accountId };
      await recordAudit(tx, { services }, { ...record, atMs: nowMs });
    });
  }
  return due.length;
}
