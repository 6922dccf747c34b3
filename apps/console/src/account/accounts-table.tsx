import type { ListedAccount } from '@gatehouse/client-sdk/admin';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { type Column, DataTable, type Sorting } from '@gatehouse/ui/table/data-table';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { ROW_LINK } from '../shell/action-links.js';
import { SUBSCRIPTION_STATES } from './account-facts.js';
import { MANY } from './account-page.js';
import { t } from './words.js';

const FROM_TABLET = 'hidden rows:table-cell';

const FROM_DESKTOP = 'hidden wide:table-cell';

const up = (name: string) => ({ name, isDescending: false });

const down = (name: string) => ({ name: `-${name}`, isDescending: true });

/** What an account pays for; those that do not pay stand out. */
function Status({ subscription }: Pick<ListedAccount, 'subscription'>): ReactElement {
  const words = t(subscription === null ? 'subscription.none' : SUBSCRIPTION_STATES[subscription.state]);
  const look = subscription?.active === false ? 'text-brick' : subscription === null ? 'text-quiet' : '';
  return <span className={`inline-block first-letter:uppercase ${look}`}>{words}</span>;
}

const columnsOf = (): readonly Column<ListedAccount>[] => [
  {
    key: 'name',
    title: t('account.name'),
    orders: [up('name'), down('name')],
    cell: ({ id, name, plan, subscription, members }, tabIndex) => (
      <>
        <Link
          to="/accounts/$accountId"
          params={{ accountId: String(id) }}
          tabIndex={tabIndex}
          className={ROW_LINK}
        >
          <bdi>{name}</bdi>
        </Link>
        <span className="block text-quiet rows:hidden">
          {plan === null ? null : (
            <>
              <bdi>{plan}</bdi>
              {' · '}
            </>
          )}
          <Status subscription={subscription} />
          {' · '}
          {t(members >= MANY ? 'account.membersMany' : 'account.members', { count: members })}
        </span>
      </>
    ),
  },
  {
    key: 'plan',
    title: t('subscription.plan'),
    className: `${FROM_DESKTOP} w-32`,
    cell: ({ plan }) => (plan === null ? <span className="text-quiet">–</span> : <bdi>{plan}</bdi>),
  },
  {
    key: 'status',
    title: t('subscription.state'),
    className: `${FROM_TABLET} w-32`,
    cell: ({ subscription }) => <Status subscription={subscription} />,
  },
  {
    key: 'owner',
    title: t('account.owner'),
    className: `${FROM_DESKTOP} w-44`,
    cell: ({ owner }) =>
      owner === null ? <span className="text-brick">{t('account.nobody')}</span> : <bdi>{owner}</bdi>,
  },
  {
    key: 'members',
    title: t('accountList.members'),
    className: `${FROM_TABLET} w-24`,
    isAtEnd: true,
    cell: ({ members }) => <span className="tabular-nums">{members >= MANY ? `${MANY}+` : members}</span>,
  },
  {
    key: 'since',
    title: t('account.since'),
    className: `${FROM_DESKTOP} w-32`,
    cell: ({ createdAt }) => shownDay(createdAt),
  },
  {
    key: 'id',
    title: t('account.id'),
    className: 'w-18',
    isAtEnd: true,
    orders: [down('id'), up('id')],
    cell: ({ id }) => <span className="font-mono text-quiet">#{id}</span>,
  },
];

/** Accounts, a row each; on a phone the details are below the name. */
export function AccountsTable({
  accounts,
  sorting,
}: {
  readonly accounts: readonly ListedAccount[];
  readonly sorting: Sorting;
}): ReactElement {
  const { locale } = catalogue;
  const columns = useMemo(columnsOf, [locale]);
  return (
    <DataTable
      label={t('accountList.title')}
      columns={columns}
      rows={accounts}
      nameOf={({ name }) => name}
      sorting={sorting}
    />
  );
}
