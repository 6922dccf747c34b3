import { listUnreportedRenewals } from '@gatehouse/db';
import { isUnanswered } from '@gatehouse/features/billing/ask-provider';
import { BILLING_PROVIDERS } from '@gatehouse/features/billing/billing-event';
import { type AskingServices, compareWithProvider } from '@gatehouse/features/billing/compare-with-provider';
import { type Finding, finding } from './finding.js';

/** So long after the end of a period an event about it was due. */
const LATE_MS = 48 * 3_600_000;
/** At most so many subscriptions are asked about. */
const MOST_ASKED = 100;

/** Findings about subscriptions whose period is over without an event; their providers are asked. */
export async function paymentFindings(services: AskingServices): Promise<Finding[]> {
  const nowMs = services.now();
  const late = await listUnreportedRenewals(services.db, {
    providers: BILLING_PROVIDERS,
    endedBeforeMs: nowMs - LATE_MS,
    askedBeforeMs: nowMs + 1,
    limit: MOST_ASKED,
  });
  const askable = new Set(
    BILLING_PROVIDERS.filter((provider) => services.billing.apis[provider] !== undefined),
  );
  let different = 0;
  let unknown = 0;
  for (const subscription of late) {
    const provider = [...askable].find((each) => each === subscription.provider);
    if (provider === undefined) {
      unknown += 1;
      continue;
    }
    try {
      const { isDifferent } = await compareWithProvider(services, { ...subscription, provider });
      if (isDifferent) different += 1;
    } catch (error) {
      unknown += 1;
      if (isUnanswered(error)) askable.delete(provider);
    }
  }
  const most = late.length === MOST_ASKED ? ' or more' : '';
  return [
    finding(
      different === 0,
      'payments: no subscription is different at its provider',
      `payments: ${different}${most} subscriptions are different at their provider; run gatehouse billing reconcile`,
    ),
    finding(
      unknown === 0,
      'payments: every subscription whose period is over could be asked about',
      `payments: ${unknown}${most} subscriptions have a period that is over, and their provider could not be asked; set STRIPE_API_KEY or PADDLE_API_KEY, or look whether it answers`,
    ),
  ];
}
