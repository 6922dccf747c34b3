import { removeOldMails } from '@gatehouse/db/queries/mail-queue';
import { removeOldOneTimePasswords } from '@gatehouse/db/queries/one-time-passwords';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;
const AT_ONCE = 500;

/**
 * Removes mails a month after they were written, `void` ones after an hour, and one-time passwords an hour after
 * they expired.
 */
export const mailRetention: Job<Services> = {
  name: 'mail-retention',
  everyMs: 10 * 60_000,
  async run(services) {
    const nowMs = services.now();
    const anHourAgoMs = nowMs - HOUR_MS;
    const mails = await removeOldMails(services.db, {
      beforeMs: nowMs - KEPT_MS,
      voidBeforeMs: anHourAgoMs,
      limit: AT_ONCE,
    });
    return mails + (await removeOldOneTimePasswords(services.db, { beforeMs: anHourAgoMs, limit: AT_ONCE }));
  },
};
