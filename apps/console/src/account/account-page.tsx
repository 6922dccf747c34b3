import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { LINK } from '../shell/action-links.js';
import { t as ofConsole } from '../words.js';
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

export function useAccountPage(accountId: number) {
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

/** The breadcrumbs of a screen about an account. */
export function AccountPath({
  account: { id, name },
  here,
}: {
  /** The account, whose name may not be known yet. */
  readonly account: { readonly id: number; readonly name?: string };
  /** The part of the account that the screen shows; absent on its main screen. */
  readonly here?: string;
}): ReactElement {
  const called = (
    <>
      <bdi>{name}</bdi> <span className="font-mono">#{id}</span>
    </>
  );
  return (
    <nav
      aria-label={ofConsole('path.label')}
      className="flex flex-wrap items-baseline gap-x-2 text-quiet wrap-anywhere"
    >
      <Link to="/accounts" className={LINK}>
        {t('accountList.title')}
      </Link>
      <span aria-hidden="true">/</span>
      {here === undefined ? (
        <span>{called}</span>
      ) : (
        <>
          <Link to="/accounts/$accountId" params={{ accountId: String(id) }} className={`${LINK} gap-1`}>
            {called}
          </Link>
          <span aria-hidden="true">/</span>
          <span>{here}</span>
        </>
      )}
    </nav>
  );
}
