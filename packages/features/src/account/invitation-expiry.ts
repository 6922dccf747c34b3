import { findInvitation, listUntoldExpiries, setExpiryTold } from '@gatehouse/db/queries/invitations';
import { lockAccountRows } from '@gatehouse/db/queries/lock-rows';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { recordSystemEvent } from '../event/record-events.js';

const AT_ONCE = 200;

/** Writes the events of invitations that have expired without an answer. Readers see that they have even before this job runs. */
export const invitationExpiry: Job<Services> = {
  name: 'invitation-expiry',
  everyMs: 60_000,
  async run({ db, now }) {
    const nowMs = now();
    const expired = await listUntoldExpiries(db, { nowMs, limit: AT_ONCE });
    for (const { id: invitationId, accountId } of expired) {
      await db.transaction(async (tx) => {
        // Before the invitation, as everywhere.
        await lockAccountRows(tx, [accountId], 'exclusive');
        if (!(await setExpiryTold(tx, { invitationId, nowMs }))) return;
        const invitation = await findInvitation(tx, invitationId);
        if (invitation?.status !== 'open') return;
        await recordSystemEvent(tx, { type: 'invitation.expired', accountId, invitationId }, nowMs);
      });
    }
    return expired.length;
  },
};
