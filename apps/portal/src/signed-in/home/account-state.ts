import type { GateState } from '@gatehouse/ui/parts/gate';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import type { OwnPlace } from '../session/me.js';
import { t } from '../words.js';

/** Whether an account is open to its member, as a doorway and in words. */
export interface ToldState {
  readonly state: GateState;
  readonly words: string;
}

export function stateOf({ requires, subscription }: Pick<OwnPlace, 'requires' | 'subscription'>): ToldState {
  if (requires !== null) return { state: 'shut', words: t('state.requires') };
  const { state, active, trialEndsAt, periodEndsAt, cancelAt } = subscription;
  if (!active) return { state: 'ajar', words: t('state.unpaid') };
  if (state === 'trialing' && trialEndsAt !== null)
    return { state: 'open', words: t('state.trial', { day: shownDay(trialEndsAt) }) };
  if (state === 'past_due') return { state: 'ajar', words: t('state.pastDue') };
  const endsAt = cancelAt ?? (state === 'canceled' ? periodEndsAt : null);
  if (endsAt !== null) return { state: 'ajar', words: t('state.ends', { day: shownDay(endsAt) }) };
  return { state: 'open', words: t('state.paid') };
}

/** The doorway of all accounts together. */
export function worstOf(told: readonly ToldState[]): GateState {
  if (told.length > 0 && told.every(({ state }) => state === 'shut')) return 'shut';
  return told.every(({ state }) => state === 'open') ? 'open' : 'ajar';
}
