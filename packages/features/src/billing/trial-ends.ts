import { changeAccess, expireTrials, listEndedTrialsWithSubscriptions } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../core/context.js';
import { deriveSubscription } from './apply-billing-claims.js';

const LIMIT = 200;

/**
 * Ends expired registration trials. Readers see the end even before this job runs. A subscription that did not count during the
 * trial, because only its payer named the account, counts from then on.
 */
export const trialEnds: Job<Services> = {
  name: 'trial-ends',
  everyMs: 60_000,
  async run({ db, config, now }) {
    const nowMs = now();
    const paid = await listEndedTrialsWithSubscriptions(db, { nowMs, limit: LIMIT });
    for (const accountId of paid) {
      const origin = { eventId: `trial-end:${accountId}:${nowMs}`, occurredAtUs: nowMs * 1000 };
      await changeAccess(db, { accounts: [accountId] }, (tx) =>
        deriveSubscription(tx, accountId, origin, { plans: config.BILLING_PLANS, nowMs }),
      );
    }
    return paid.length + (await expireTrials(db, { nowMs, limit: LIMIT }));
  },
};
