import { leaseReconciliation, listUnreportedRenewals } from '@gatehouse/db/queries/billing-subscriptions';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { lockAccountRows } from '@gatehouse/db/queries/lock-rows';
import {
  expireTrial,
  listEndedTrials,
  listEndedTrialsWithSubscriptions,
} from '@gatehouse/db/queries/subscriptions';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { BILLING_PROVIDERS } from '../core/billing/billing-event.js';
import type { Services } from '../core/context.js';
import { recordSubscription } from '../event/record-events.js';
import { deriveSubscription } from './apply-billing-claims.js';
import { isUnanswered } from './ask-provider.js';
import { correctByProvider } from './compare-with-provider.js';

const LIMIT = 200;

/**
 * Ends expired registration trials. Readers see the end even before this job runs. A subscription that was ignored during the
 * trial, because only its payer named the account, applies from then on.
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
    const over = await listEndedTrials(db, { nowMs, limit: LIMIT });
    let ended = 0;
    for (const accountId of over) {
      const isEnded = await db.transaction(async (tx) => {
        // Before the subscription, as everywhere.
        await lockAccountRows(tx, [accountId], 'exclusive');
        if (!(await expireTrial(tx, { accountId, nowMs }))) return false;
        await recordSubscription(tx, { accountId, from: 'trialing', to: 'expired', nowMs });
        return true;
      });
      if (isEnded) ended += 1;
    }
    return paid.length + ended;
  },
};

const HOUR_MS = 3_600_000;

/** How long after the end of a period an event about it should have arrived. */
const LATE_MS = 48 * HOUR_MS;

/** How often the provider is asked about a subscription. */
const AGAIN_MS = 12 * HOUR_MS;

const AT_ONCE = 50;

/**
 * Asks the providers about subscriptions whose period has been over for two days without an event that says what came after it,
 * because events can be lost.
 */
export const reconcilePayments: Job<Services> = {
  name: 'reconcile-payments',
  everyMs: 10 * 60_000,
  async run(services) {
    const nowMs = services.now();
    const providers = BILLING_PROVIDERS.filter((provider) => services.billing.apis[provider] !== undefined);
    const times = { endedBeforeMs: nowMs - LATE_MS, askedBeforeMs: nowMs - AGAIN_MS };
    const late = await listUnreportedRenewals(services.db, { providers, ...times, limit: AT_ONCE });
    let corrected = 0;
    let failure: Error | undefined;
    for (const { accountId, ...subscription } of late) {
      const provider = providers.find((each) => each === subscription.provider);
      const isOurs = await leaseReconciliation(services.db, { accountId, ...times, nowMs });
      if (provider === undefined || !isOurs) continue;
      try {
        if (await correctByProvider(services, { ...subscription, provider })) corrected += 1;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        failure ??= error;
        // The others can be requested, unless the provider does not answer.
        if (isUnanswered(error)) break;
      }
    }
    if (failure !== undefined) throw failure;
    return corrected;
  },
};
