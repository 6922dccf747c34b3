import type { GateState } from '@gatehouse/ui/parts/gate';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import type { AccountPage } from './account-page.js';
import { t } from './words.js';

/** Whether an account is open and paid, and why not. */
export interface AccountVerdict {
  readonly state: GateState;
  readonly title: string;
  readonly lead: string;
}

/** One sentence about an account: the gravest of what stands between its members and their work. */
export function verdictOn(page: AccountPage): AccountVerdict {
  const { state, erasedAt, owner, counts } = page;
  const account = page.account.name;
  if (state === 'closed' && erasedAt !== null) {
    return {
      state: 'shut',
      title: t('account.closed', { account }),
      lead: t('account.closedLead', { day: shownDay(erasedAt) }),
    };
  }
  if (state !== 'live') {
    return { state: 'shut', title: t('account.deleted', { account }), lead: t('account.deletedLead') };
  }
  if (owner === null || owner.isDeleted) {
    return { state: 'ajar', title: t('account.ownerless', { account }), lead: t('account.ownerlessLead') };
  }
  const [gate, title] = paymentOf(page);
  return {
    state: gate,
    title,
    lead: t(counts.members >= MANY ? 'account.leadMany' : 'account.lead', {
      count: counts.members,
      owner: owner.name,
    }),
  };
}

/** The service counts no further. */
export const MANY = 1000;

function paymentOf({ account: { name: account }, subscription }: AccountPage): [GateState, string] {
  const unpaid: [GateState, string] = ['ajar', t('account.unpaid', { account })];
  if (subscription === null) return unpaid;
  const { state, active, trialEndsAt, periodEndsAt, cancelAt } = subscription;
  const endsAt = cancelAt ?? periodEndsAt;
  switch (state) {
    case 'trialing':
      return trialEndsAt === null
        ? ['open', t('account.paid', { account })]
        : ['open', t('account.trial', { account, day: shownDay(trialEndsAt) })];
    case 'active':
      return cancelAt === null
        ? ['open', t('account.paid', { account })]
        : ['ajar', t('account.ends', { account, day: shownDay(cancelAt) })];
    case 'past_due':
      return ['ajar', t('account.due', { account })];
    case 'paused':
      return ['ajar', t('account.paused', { account })];
    case 'canceled':
      return active && endsAt !== null
        ? ['ajar', t('account.ends', { account, day: shownDay(endsAt) })]
        : unpaid;
    case 'expired':
      return unpaid;
  }
}
