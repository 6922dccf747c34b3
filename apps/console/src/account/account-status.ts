import type { StatusTone } from '@gatehouse/ui/parts/status-icon';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import type { AccountPage } from './account-page.js';
import { t } from './words.js';

/** Whether an account is open and paid, and why not. */
export interface AccountStatus {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
}

/** One sentence about an account: the gravest of what stands between its members and their work. */
export function statusOf(page: AccountPage): AccountStatus {
  const { state, erasedAt, owner, counts } = page;
  const account = page.account.name;
  if (state === 'closed' && erasedAt !== null) {
    return {
      tone: 'error',
      title: t('account.closed', { account }),
      lead: t('account.closedLead', { day: shownDay(erasedAt) }),
    };
  }
  if (state !== 'live') {
    return { tone: 'error', title: t('account.deleted', { account }), lead: t('account.deletedLead') };
  }
  if (owner === null || owner.isDeleted) {
    return { tone: 'pending', title: t('account.ownerless', { account }), lead: t('account.ownerlessLead') };
  }
  const [tone, title] = paymentOf(page);
  return {
    tone,
    title,
    lead: t(counts.members >= MANY ? 'account.leadMany' : 'account.lead', {
      count: counts.members,
      owner: owner.name,
    }),
  };
}

/** The service counts no further. */
export const MANY = 1000;

function paymentOf({ account: { name: account }, subscription }: AccountPage): [StatusTone, string] {
  const unpaid: [StatusTone, string] = ['pending', t('account.unpaid', { account })];
  if (subscription === null) return unpaid;
  const { state, active, trialEndsAt, periodEndsAt, cancelAt } = subscription;
  const endsAt = cancelAt ?? periodEndsAt;
  switch (state) {
    case 'trialing':
      return trialEndsAt === null
        ? ['ok', t('account.paid', { account })]
        : ['ok', t('account.trial', { account, day: shownDay(trialEndsAt) })];
    case 'active':
      return cancelAt === null
        ? ['ok', t('account.paid', { account })]
        : ['pending', t('account.ends', { account, day: shownDay(cancelAt) })];
    case 'past_due':
      return ['pending', t('account.due', { account })];
    case 'paused':
      return ['pending', t('account.paused', { account })];
    case 'canceled':
      return active && endsAt !== null
        ? ['pending', t('account.ends', { account, day: shownDay(endsAt) })]
        : unpaid;
    case 'expired':
      return unpaid;
  }
}
