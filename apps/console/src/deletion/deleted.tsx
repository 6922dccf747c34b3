import type { ListedAccount, ListedMember } from '@gatehouse/client-sdk/admin';
import { usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { DELETED } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { ChoiceLink, ChoiceLinks, ROW_LINK } from '../shell/action-links.js';
import { t as ofConsole } from '../words.js';
import { t } from './words.js';

export const DeletedScreen = inLanguage(Deleted);

const route = getRouteApi('/frame/deleted');
const PAGE = 50;

const WORDS = {
  deleting: 'deleted.byThemselves',
  deleted: 'deleted.byStaff',
  accounts: 'deleted.accounts',
} as const;

function Deleted(): ReactElement {
  return useMe().allAccounts ? <Lists /> : <Denied />;
}

function Lists(): ReactElement {
  const { of = 'deleting' } = route.useSearch();
  return (
    <Screen title={t('deleted.title')} lead={t('deleted.lead')}>
      <ChoiceLinks label={t('deleted.which')}>
        {DELETED.map((each) => (
          <ChoiceLink
            key={each}
            to="/deleted"
            search={each === 'deleting' ? {} : { of: each }}
            isChosen={of === each}
          >
            {t(WORDS[each])}
          </ChoiceLink>
        ))}
      </ChoiceLinks>
      {of === 'accounts' ? <Accounts /> : <Members key={of} state={of} />}
    </Screen>
  );
}

function Members({ state }: { readonly state: 'deleting' | 'deleted' }): ReactElement {
  const list = usePages<ListedMember>(['members', 'gone', state], (page, signal) =>
    gatehouse.api.member.search.query({ ...page, limit: PAGE, search: '', state }, { signal }),
  );
  return (
    <PagedTable
      list={list}
      none={t('deleted.none')}
      label={t(WORDS[state])}
      columns={memberColumns()}
      nameOf={shownName}
    />
  );
}

function Accounts(): ReactElement {
  const list = usePages<ListedAccount>(['accounts', 'gone'], (page, signal) =>
    gatehouse.api.account.search.query({ ...page, limit: PAGE, search: '', state: 'closed' }, { signal }),
  );
  return (
    <PagedTable
      list={list}
      none={t('deleted.none')}
      label={t('deleted.accounts')}
      columns={accountColumns()}
      nameOf={({ name }) => name}
    />
  );
}

const idColumn = () => ({
  key: 'id',
  title: ofConsole('fact.id'),
  className: 'w-24 font-mono text-quiet',
  isAtEnd: true,
  cell: ({ id }: { readonly id: number }) => `#${id}`,
});

const memberColumns = (): readonly Column<ListedMember>[] => [
  {
    key: 'name',
    title: ofConsole('fact.name'),
    className: TITLE_CELL,
    cell: (member, tabIndex) => (
      <Link
        to="/members/$memberId"
        params={{ memberId: String(member.id) }}
        tabIndex={tabIndex}
        className={ROW_LINK}
      >
        <bdi>{shownName(member)}</bdi>
      </Link>
    ),
  },
  {
    key: 'email',
    title: ofConsole('fact.email'),
    cell: ({ email }) => (email === null ? null : <bdi>{shownAddress(email)}</bdi>),
  },
  {
    key: 'lastLogin',
    title: ofConsole('members.lastLogin'),
    className: 'w-44 text-quiet',
    isNamed: true,
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? ofConsole('members.never') : <At at={lastLoginAt} />),
  },
  idColumn(),
];

const accountColumns = (): readonly Column<ListedAccount>[] => [
  {
    key: 'name',
    title: ofConsole('fact.name'),
    className: TITLE_CELL,
    cell: ({ id, name }, tabIndex) => (
      <Link
        to="/accounts/$accountId"
        params={{ accountId: String(id) }}
        tabIndex={tabIndex}
        className={ROW_LINK}
      >
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  idColumn(),
];
