import { dummyHash, randomId } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { forgetSeenMember } from '@gatehouse/db/queries/count-seen-members';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import {
  eraseAccount,
  listDueEndings,
  listUnnotifiedEndings,
  setErasureNotified,
} from '@gatehouse/db/queries/erase-account';
import { type DueMember, eraseMember, listDueMembers } from '@gatehouse/db/queries/erase-member';
import { listWebhookBodies, setWebhookBody } from '@gatehouse/db/queries/process-webhooks';
import { listOwnersOfAccount } from '@gatehouse/db/queries/read-accounts';
import { countLogins } from '@gatehouse/db/queries/statistic-counters';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { recordAudit } from '../audit/record-audit.js';
import { holdsAddress, withoutPerson } from '../billing/forget-person.js';
import type { Services } from '../core/context.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';

const NOTIFIED_BEFORE_MS = 3 * 86_400_000;

const AT_ONCE = 20;

const ROWS_PER_TRANSACTION = 500;

/** Erases the data of closed accounts when their grace is over, and notifies the owners three days before. */
export const accountErasure: Job<Services> = {
  name: 'account-erasure',
  everyMs: 60_000,
  run: async (services) => (await tellOwners(services)) + (await eraseAccounts(services)),
};

async function tellOwners(services: Services): Promise<number> {
  const { db, config } = services;
  const nowMs = await readDatabaseTime(db);
  const endings = await listUnnotifiedEndings(db, { byMs: nowMs + NOTIFIED_BEFORE_MS, limit: AT_ONCE });
  let notified = 0;
  for (const { id, name, closedAtMs, erasesAtMs } of endings) {
    const isNotified = await db.transaction(async (tx) => {
      if (!(await setErasureNotified(tx, { id, erasesAtMs, nowMs }))) return false;
      for (const { memberId, email } of await listOwnersOfAccount(tx, id)) {
        const data = {
          accountName: mailName(name),
          atMs: closedAtMs,
          erasesAtMs,
          link: screenLink(config, ''),
          isReminder: true,
        };
        await queueMail(tx, services, { kind: 'accountClosed', to: email, memberId, data });
      }
      return true;
    });
    if (isNotified) notified += 1;
  }
  if (notified > 0) services.wakeups.wake('mail');
  return notified;
}

async function eraseAccounts(services: Services): Promise<number> {
  const { db } = services;
  // A wrong clock of one node must not erase anything.
  const due = await listDueEndings(db, { byMs: await readDatabaseTime(db), limit: AT_ONCE });
  for (const { id: accountId } of due) {
    await changeAccess(db, { accounts: [accountId] }, async (tx) => {
      const nowMs = await readDatabaseTime(tx);
      if (!(await eraseAccount(tx, { accountId, nowMs, limit: ROWS_PER_TRANSACTION }))) return;
      const record = { action: 'account.erased', accountId, subjectKind: 'account', subjectId: accountId };
      await recordAudit(tx, { services }, { ...record, atMs: nowMs });
    });
  }
  return due.length;
}

const DELIVERIES_PER_READ = 200;

/** Erases the data of members who deleted themselves and did not come back. */
export const memberErasure: Job<Services> = {
  name: 'member-erasure',
  everyMs: 60_000,
  async run(services) {
    const { db } = services;
    // A wrong clock of one node must not erase anybody.
    const due = await listDueMembers(db, { byMs: await readDatabaseTime(db), limit: AT_ONCE });
    for (const member of due) {
      await clearDeliveries(services, member);
      await changeAccess(db, { members: [member.id] }, async (tx) => {
        const nowMs = await readDatabaseTime(tx);
        const anonymous = `deleted:${randomId()}`;
        // Their sign-ins are counted for the statistics before the rows are erased.
        await countLogins(tx, Number.MAX_SAFE_INTEGER, member.id);
        const role = services.roles.labelOf(member.roleType);
        const erased = { anonymous, role, password: dummyHash, nowMs };
        if (!(await eraseMember(tx, member, erased))) return;
        await forgetSeenMember(tx, member.id);
        // The member's key is gone, and this line has no personal data.
        const line = { action: 'member.erased', subjectKind: 'member', subjectId: member.id };
        await recordAudit(tx, { services }, { ...line, atMs: nowMs });
      });
    }
    return due.length;
  },
};

/** A delivery keeps the fields needed to apply it, because the account may have another owner by now. */
async function clearDeliveries({ db }: Services, { email, emailKey }: DueMember): Promise<void> {
  if (email === null || emailKey === null) return;
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const { found, lastId } = await listWebhookBodies(db, { email, afterId, limit: DELIVERIES_PER_READ });
    for (const { id, status, body, bodyEncoding } of found) {
      const text = bodyEncoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : body;
      if (!holdsAddress(text, emailKey)) continue;
      await setWebhookBody(db, { id, body: status === 'rejected' ? '' : withoutPerson(text) });
    }
    afterId = lastId;
  }
}
