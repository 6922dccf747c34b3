import type { StatusTone } from '@gatehouse/ui/parts/status-icon';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import type { OwnPlace } from '../session/me.js';
import { t } from '../words.js';

/** Whether an account is open to its member, as an icon and in words. */
export interface ToldState {
  readonly tone: StatusTone;
  readonly words: string;
}

export function stateOf({ requires, subscription }: Pick<OwnPlace, 'requires' | 'subscription'>): ToldState {
  if (requires !== null) return { tone: 'error', words: t('state.requires') };
  const { state, active, trialEndsAt, periodEndsAt, cancelAt } = subscription;
  if (!active) return { tone: 'pending', words: t('state.unpaid') };
  if (state === 'trialing' && trialEndsAt !== null)
    return { tone: 'ok', words: t('state.trial', { day: shownDay(trialEndsAt) }) };
  if (state === 'past_due') return { tone: 'pending', words: t('state.pastDue') };
  const endsAt = cancelAt ?? (state === 'canceled' ? periodEndsAt : null);
  if (endsAt !== null) return { tone: 'pending', words: t('state.ends', { day: shownDay(endsAt) }) };
  return { tone: 'ok', words: t('state.paid') };
}

/** The tone of all accounts together. */
export function worstOf(told: readonly ToldState[]): StatusTone {
  if (told.length > 0 && told.every(({ tone }) => tone === 'error')) return 'error';
  return told.every(({ tone }) => tone === 'ok') ? 'ok' : 'pending';
}
