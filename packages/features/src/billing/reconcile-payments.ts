import { leaseReconciliation, listUnreportedRenewals } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../core/context.js';
import { BILLING_PROVIDERS } from './billing-provider.js';
import { isUnanswered } from './provider/ask-provider.js';
import { correctByProvider } from './provider/compare-with-provider.js';

const HOUR_MS = 3_600_000;
/** So long after the end of a period an event about it was due. */
const LATE_MS = 48 * HOUR_MS;
/** A subscription is asked about once in this time. */
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
        // The others can be asked about, unless nobody answers.
        if (isUnanswered(error)) break;
      }
    }
    if (failure !== undefined) throw failure;
    return corrected;
  },
};
