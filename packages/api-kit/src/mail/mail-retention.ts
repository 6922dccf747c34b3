import { removeOldMails } from '@gatehouse/db';
import type { Job } from '../jobs/job.js';

const KEPT_MS = 30 * 86_400_000;
const VOID_KEPT_MS = 3_600_000;
const AT_ONCE = 500;

/** Removes mails a month after they were written, and those that were never to be delivered within the hour. */
export const mailRetention: Job = {
  name: 'mail-retention',
  everyMs: 10 * 60_000,
  run(kit) {
    const nowMs = kit.now();
    return removeOldMails(kit.db, {
      beforeMs: nowMs - KEPT_MS,
      voidBeforeMs: nowMs - VOID_KEPT_MS,
      limit: AT_ONCE,
    });
  },
};
