import type { ListedAccount } from '@gatehouse/client-sdk/admin';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { type Column, DataTable, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import type { Sorting } from '@gatehouse/ui/table/sort-button';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { ROW_LINK } from '../shell/action-links.js';
import { SUBSCRIPTION_STATES } from './account-facts.js';
import { MANY } from './account-page.js';
import { t } from './words.js';

const FROM_DESKTOP = 'max-wide:rows:hidden';

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
    className: TITLE_CELL,
    orders: [up('name'), down('name')],
    cell: ({ id, name }, tabIndex) => (
      <>
        <Link
          to="/accounts/$accountId"
          params={{ accountId: String(id) }}
          tabIndex={tabIndex}
          className={ROW_LINK}
        >
          <bdi>{name}</bdi>
        </Link>
      </>
    ),
  },
  {
    key: 'plan',
    title: t('subscription.plan'),
    className: `${FROM_DESKTOP} w-32`,
    cell: ({ plan }) => (plan === null ? null : <bdi>{plan}</bdi>),
  },
  {
    key: 'status',
    title: t('subscription.state'),
    className: 'w-32',
    cell: ({ subscription }) => <Status subscription={subscription} />,
  },
  {
    key: 'owner',
    title: t('account.owner'),
    isNamed: true,
    className: `${FROM_DESKTOP} w-44`,
    cell: ({ owner }) =>
      owner === null ? <span className="text-brick">{t('account.nobody')}</span> : <bdi>{owner}</bdi>,
  },
  {
    key: 'members',
    title: t('accountList.members'),
    isNamed: true,
    className: 'w-24',
    isAtEnd: true,
    cell: ({ members }) => <span className="tabular-nums">{members >= MANY ? `${MANY}+` : members}</span>,
  },
  {
    key: 'since',
    title: t('account.since'),
    isNamed: true,
    className: `${FROM_DESKTOP} w-32`,
    cell: ({ createdAt }) => shownDay(createdAt),
  },
  {
    key: 'id',
    title: t('account.id'),
    className: 'w-18 text-quiet',
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
      isStacked
    />
  );
}
