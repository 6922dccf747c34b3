import type { MainOutputs } from '@gatehouse/client-sdk';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { t } from '../words.js';

type Subscription = MainOutputs['subscription']['current']['data'];

/** Whether an account is paid for: tone and words. */
interface Status {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
  /** Whether a provider has a subscription of it. */
  readonly isPaid: boolean;
  /** Whether a plan can be bought: not as long as another runs. */
  readonly canBuy: boolean;
}

export function statusOf(subscription: Subscription): Status {
  const { state, active, trialEndsAt, periodEndsAt, cancelAt, collectionPaused } = subscription;
  const buys = { isPaid: false, canBuy: true };
  const pays = { isPaid: true, canBuy: false };
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
        const title = t(active ? 'billing.active' : 'billing.paused');
        return { tone: active ? 'ok' : 'error', title, lead, ...pays };
      }
      if (cancelAt !== null) {
        const title = t('billing.ends', { day: until(cancelAt) });
        return { tone: 'pending', title, lead: t('billing.endsLead'), ...pays };
      }
      const day = until(periodEndsAt);
      const lead = day === '' ? t('billing.activeLead') : t('billing.renews', { day });
      return { tone: 'ok', title: t('billing.active'), lead, ...pays };
    }
    case 'past_due': {
      const lead = t(active ? 'billing.dueLead' : 'billing.offLead');
      return { tone: active ? 'pending' : 'error', title: t('billing.due'), lead, ...pays };
    }
    case 'paused':
      return { tone: 'error', title: t('billing.paused'), lead: t('billing.offLead'), ...pays };
    case 'canceled':
      if (active) {
        const title = t('billing.ends', { day: until(periodEndsAt) });
        return { tone: 'pending', title, lead: t('billing.endsLead'), isPaid: true, canBuy: true };
      }
      return {
        tone: 'error',
        title: t('billing.unpaid'),
        lead: t('billing.offLead'),
        isPaid: true,
        canBuy: true,
      };
    case 'expired':
      return { tone: 'error', title: t('billing.unpaid'), lead: t('billing.offLead'), ...buys };
  }
}
