import { findMailTrouble } from '@gatehouse/db/queries/list-mails';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { explainDelivery } from '@gatehouse/runtime/mail/mail-driver';
import type { Services } from '../core/context.js';

/** Logs once a minute that mails wait after failed attempts, and what to do about it. */
export const mailWatch: Job<Services> = {
  name: 'mail-watch',
  everyMs: 60_000,
  async run({ config, db, log }) {
    const trouble = await findMailTrouble(db);
    if (trouble !== undefined)
      log.warning('mail.waiting', {
        count: trouble.waiting,
        reason: trouble.lastError,
        detail: `${trouble.waiting} mails wait: ${explainDelivery(trouble.lastError, config)}`,
      });
    return 0;
  },
};
