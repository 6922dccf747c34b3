import { dummyHash, randomId } from '@gatehouse/auth-core';
import { changeAccess, clearWebhookBodies, type DueMember, eraseMember, listDueMembers } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../app/services.js';
import { recordAudit } from '../audit/record-audit.js';

const AT_ONCE = 20;
/** How many webhook deliveries are searched at a time. */
const PART = 200;

/** Erases the data of members who deleted themselves and did not come back. */
export const memberErasure: Job<Services> = {
  name: 'member-erasure',
  everyMs: 60_000,
  async run(services) {
    const { db } = services;
    const due = await listDueMembers(db, { byMs: services.now(), limit: AT_ONCE });
    for (const member of due) {
      await clearDeliveries(services, member);
      await changeAccess(db, { members: [member.id] }, async (tx) => {
        const nowMs = services.now();
        const anonymous = `deleted:${randomId()}`;
        if (!(await eraseMember(tx, member, { anonymous, password: dummyHash, nowMs }))) return;
        // The member's key is gone, and this line has no personal data.
        const line = { action: 'member.erased', subjectKind: 'member', subjectId: member.id };
        await recordAudit(tx, { services }, { ...line, atMs: nowMs });
      });
    }
    return due.length;
  },
};

async function clearDeliveries({ db }: Services, { email }: DueMember): Promise<void> {
  if (email === null) return;
  let afterId: number | undefined = 0;
  while (afterId !== undefined) afterId = await clearWebhookBodies(db, { email, afterId, limit: PART });
}
