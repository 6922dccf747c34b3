import { dummyHash, randomId } from '@gatehouse/auth-core';
import {
  changeAccess,
  countLogins,
  type DueMember,
  eraseMember,
  forgetSeenMember,
  listDueMembers,
  listWebhookBodies,
  readDatabaseTime,
  setWebhookBody,
} from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { recordAudit } from '../../audit/record-audit.js';
import { holdsAddress, withoutPerson } from '../../billing/forget-person.js';
import type { Services } from '../../core/context.js';

const AT_ONCE = 20;
/** How many webhook deliveries are searched at a time. */
const PART = 200;

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
        // Their events go, but not what they count for.
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
    const { found, lastId } = await listWebhookBodies(db, { email, afterId, limit: PART });
    for (const { id, status, body, bodyEncoding } of found) {
      const text = bodyEncoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : body;
      if (!holdsAddress(text, emailKey)) continue;
      await setWebhookBody(db, { id, body: status === 'rejected' ? '' : withoutPerson(text) });
    }
    afterId = lastId;
  }
}
