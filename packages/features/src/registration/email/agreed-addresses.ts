import { AppError } from '@gatehouse/auth-core';
import {
  type AgreedLater,
  changeAccess,
  clearPendingAddress,
  dropAgreement,
  findMemberAddress,
  listAgreedLater,
  readDatabaseTime,
} from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { recordAudit } from '../../audit/record-audit.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Services } from '../../core/context.js';
import { agree, findPending } from './agree.js';

const AT_ONCE = 20;

/** Lets the agreement of an old mailbox count, an hour after it was given without a password or a session. */
export const agreedAddresses: Job<Services> = {
  name: 'agreed-addresses',
  everyMs: 60_000,
  async run(services) {
    // A wrong clock of one node must not shorten the hour.
    const byMs = await readDatabaseTime(services.db);
    const due = await listAgreedLater(services.db, { byMs, limit: AT_ONCE });
    let applied = 0;
    let failure: Error | undefined;
    for (const change of due) {
      try {
        await apply(services, change, byMs);
        applied += 1;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        // The changes of other members do not wait for this one, which is tried again.
        failure ??= error;
      }
    }
    if (applied > 0) services.wakeups.wake('mail');
    if (failure !== undefined) throw failure;
    return applied;
  },
};

/** Judges by the locked row: since it was listed, the change may have been stopped or replaced, or the member banned. */
async function apply(services: Services, change: AgreedLater, byMs: number): Promise<void> {
  const { memberId } = change;
  await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const nowMs = services.now();
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    const effectiveAtMs = (await findMemberAddress(tx, memberId))?.pendingEffectiveAtMs ?? null;
    if (effectiveAtMs === null || effectiveAtMs > byMs) return;
    const pending = await findPending(tx, change, nowMs);
    if (pending === undefined) return dropAgreement(tx, { memberId, nowMs });
    const action = await agree(tx, services, pending)
      .then((isMoved) => (isMoved ? 'address.changed' : 'address.change-approved'))
      .catch(async (error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'email_taken') throw error;
        // Somebody else has the address by now.
        await clearPendingAddress(tx, { memberId, nowMs });
        return 'address.change-cancelled';
      });
    await recordAudit(
      tx,
      { services },
      {
        atMs: nowMs,
        action,
        actorId: null,
        onBehalfOfId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
      },
    );
  });
}
