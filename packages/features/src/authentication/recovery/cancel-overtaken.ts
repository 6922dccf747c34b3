import { changeAccess, findOpenRecovery, readDatabaseTime } from '@gatehouse/db';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Services } from '../../core/app/services.js';
import { abandonRecovery } from './abandon-recovery.js';
import { isOvertaken } from './recovery-times.js';

/** Cancels the open recovery of a member if something has happened since, for which its ticket was refused. */
export async function cancelOvertaken(services: Services, memberId: number): Promise<void> {
  await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const nowMs = await readDatabaseTime(tx);
    await createLockedReader(tx, nowMs).lockMember(memberId, 'exclusive');
    const recovery = await findOpenRecovery(tx, memberId);
    if (recovery === undefined || !(await isOvertaken(tx, recovery, nowMs))) return;
    await abandonRecovery(tx, { services }, recovery, { outcome: 'canceled', endedById: null });
  });
  services.wakeups.wake('mail');
}
