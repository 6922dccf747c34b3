import type { MainOutputs } from '@gatehouse/client-sdk';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { regionalLocale, shownDay } from '@gatehouse/ui/screen/shown-time';
import { t } from '../words.js';

type Subscription = MainOutputs['subscription']['current']['data'];

/** A button that leads to a page of the provider. */
export interface ProviderAction {
  readonly page: 'overview' | 'change' | 'cancel';
  readonly words: string;
}

/** Whether an account is paid for: tone and words. */
interface Status {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
  /** What can be done about the subscription at its provider, the most likely action first; nothing without a subscription. */
  readonly actions: readonly ProviderAction[];
  /** Whether a plan can be bought: not as long as another runs. */
  readonly canBuy: boolean;
}

export function statusOf(subscription: Subscription): Status {
  const { state, active, trialEndsAt, periodEndsAt, cancelAt, graceEndsAt, collectionPaused } = subscription;
  const manage: ProviderAction = { page: 'overview', words: t('billing.portal') };
  const cancel: ProviderAction = { page: 'cancel', words: t('billing.cancel') };
  // Paddle has no page where people change their plan or take a cancellation back.
  const hasMorePages = subscription.provider === 'stripe';
  const change: ProviderAction[] = hasMorePages ? [{ page: 'change', words: t('billing.change') }] : [];
  const resume: ProviderAction[] = hasMorePages ? [{ page: 'overview', words: t('billing.resume') }] : [];
  const buys = { actions: [], canBuy: true };
  const pays = (actions: readonly ProviderAction[]) => ({ actions, canBuy: false });
  const until = (at: string | null) => (at === null ? '' : shownDay(at));
  switch (state) {
    case 'trialing': {
      const day = until(trialEndsAt);
      return {
        tone: 'ok',
        title: t('billing.trial', { day }),
        lead: t('billing.trialLead'),
        ...buys,
      };
    }
    case 'active': {
      if (collectionPaused) {
        const lead = t(active ? 'billing.collectionPaused' : 'billing.collectionPausedOff');
        const title = active ? planTitle(subscription) : t('billing.paused');
        return { tone: active ? 'ok' : 'error', title, lead, ...pays([manage, cancel]) };
      }
      if (cancelAt !== null) {
        const lead = [planTitle(subscription), t('billing.endsLead')].join('. ');
        const title = t('billing.ends', { day: until(cancelAt) });
        return { tone: 'pending', title, lead, ...pays([...resume, manage]) };
      }
      const day = until(periodEndsAt);
      const lead = day === '' ? t('billing.activeLead') : t('billing.nextInvoice', { day });
      return { tone: 'ok', title: planTitle(subscription), lead, ...pays([...change, manage, cancel]) };
    }
    case 'past_due': {
      const lead = active ? t('billing.dueLead', { day: until(graceEndsAt) }) : t('billing.offLead');
      const title = t('billing.due');
      return { tone: active ? 'pending' : 'error', title, lead, ...pays([manage, cancel]) };
    }
    case 'paused':
      return {
        tone: 'error',
        title: t('billing.paused'),
        lead: t('billing.offLead'),
        ...pays([manage, cancel]),
      };
    case 'canceled':
      if (active) {
        const title = t('billing.ends', { day: until(periodEndsAt) });
        return { tone: 'pending', title, lead: t('billing.endsLead'), actions: [manage], canBuy: true };
      }
      return {
        tone: 'error',
        title: t('billing.unpaid'),
        lead: t('billing.offLead'),
        actions: [manage],
        canBuy: true,
      };
    case 'expired':
      return { tone: 'error', title: t('billing.unpaid'), lead: t('billing.offLead'), ...buys };
  }
}

/** What an account pays for: "Team plan, €29 / month". */
function planTitle({ plan }: Subscription): string {
  if (plan === null) return t('billing.active');
  const title = t('billing.plan', { plan: plan.name });
  return plan.price === undefined ? title : `${title}, ${priceText(plan.price)}`;
}

type Price = NonNullable<MainOutputs['billing']['plans']['data'][number]['price']>;

/** The price of a plan, such as "€29 / month". */
export function priceText({ amount, currency, per }: Price): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const price = new Intl.NumberFormat(regionalLocale(), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
  }).format(amount);
  return t(per === 'month' ? 'plans.perMonth' : 'plans.perYear', { price });
}
