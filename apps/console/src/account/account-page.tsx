import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../client.js';
import { Trail } from '../shell/breadcrumbs.js';
import { t } from './words.js';

/** All that the service tells about an account. */
export type AccountPage = AdminOutputs['account']['page']['data'];

/** A member of an account, with their place in it and what staff do about them there. */
export type PlacedMember = AdminOutputs['member']['list']['data'][number];

export type Invitation = AdminOutputs['invitation']['list']['data'][number];

/** The cache key of everything read of an account. */
export const accountKey = (accountId: number) => ['account', accountId] as const;

/** The account of the path; NaN if it names none, which the service refuses. */
export function useAccountId(): number {
  const { accountId = '' } = useParams({ strict: false });
  return Number(accountId);
}

function useAccountPage(accountId: number) {
  return useQuery({
    queryKey: [...accountKey(accountId), 'page'],
    queryFn: async ({ signal }) => (await gatehouse.api.account.page.query({ accountId }, { signal })).data,
  });
}

/** Whether an account is open and paid, and why not. */
interface AccountStatus {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
}

/** One sentence about an account: the most serious problem between its members and their work. */
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

/** A screen about an account, or about a part of it, once it is there. */
export function AccountView({
  accountId,
  here,
  children,
}: {
  readonly accountId: number;
  /** The part that the screen shows; absent on the main screen. */
  readonly here?: string;
  readonly children: (page: AccountPage) => ReactNode;
}): ReactElement {
  const page = useAccountPage(accountId);
  return (
    <QueryView
      answer={page}
      title={here ?? t('account.facts')}
      gone={t('account.gone')}
      trail={
        <Trail
          to="/accounts"
          all={t('accountList.title')}
          id={accountId}
          name={page.data?.account.name}
          main={{ to: '/accounts/$accountId', params: { accountId: String(accountId) } }}
          here={here}
          isGone={page.isError && page.data === undefined}
        />
      }
    >
      {children}
    </QueryView>
  );
}
