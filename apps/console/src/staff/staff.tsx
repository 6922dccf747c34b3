import { type AdminOutputs, ROLES } from '@gatehouse/client-sdk/admin';
import { usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Badge } from '@gatehouse/ui/parts/badge';
import { PersonCell } from '@gatehouse/ui/parts/initials';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, roleOf, useMe } from '../session/me.js';
import { ActionLink, ROW_LINK } from '../shell/action-links.js';
import { t } from '../words.js';

export const StaffScreen = inLanguage(Staff);

type Colleague = AdminOutputs['personnel']['list']['data'][number];

const route = getRouteApi('/frame/staff');

function Staff(): ReactElement {
  return mayAsStaff(useMe(), 'personnel.read') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const me = useMe();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages<Colleague>(
    ['staff', q],
    (page, signal) => gatehouse.api.personnel.list.query({ ...page, search: q }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Screen
      title={t('frame.staff')}
      lead={t(me.allAccounts ? 'staff.lead' : 'staff.leadSome')}
      actions={
        mayAsStaff(me, 'personnel.manage') ? (
          <ActionLink isMain to="/staff/new">
            {t('staff.add')}
          </ActionLink>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">
        <SearchField
          label={t('members.search')}
          text={q}
          onLook={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
        <PagedTable
          list={list}
          none={t('staff.none')}
          label={t('frame.staff')}
          columns={columnsOf()}
          nameOf={shownName}
        />
      </div>
    </Screen>
  );
}

const columnsOf = (): readonly Column<Colleague>[] => [
  {
    key: 'name',
    title: t('fact.name'),
    className: TITLE_CELL,
    cell: (colleague, tabIndex) => (
      <PersonCell name={shownName(colleague)}>
        <Link
          to="/staff/$personnelId"
          params={{ personnelId: String(colleague.id) }}
          tabIndex={tabIndex}
          className={ROW_LINK}
        >
          <bdi>{shownName(colleague)}</bdi>
        </Link>
        {colleague.email === null ? null : (
          <bdi className="block text-quiet">{shownAddress(colleague.email)}</bdi>
        )}
      </PersonCell>
    ),
  },
  {
    key: 'role',
    title: t('fact.role'),
    className: 'w-36',
    cell: (colleague) => <bdi>{roleOf(colleague)}</bdi>,
  },
  {
    key: 'grants',
    title: t('staff.access'),
    className: 'w-44',
    cell: ({ baseRole, grants }) =>
      baseRole === ROLES.admin ? t('staff.everywhere') : t('staff.grants', { count: grants.length }),
  },
  {
    key: 'lastLogin',
    title: t('members.lastLogin'),
    className: 'w-44 text-quiet',
    isNamed: true,
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? t('members.never') : <At at={lastLoginAt} />),
  },
  {
    key: 'state',
    title: t('list.status'),
    className: 'w-36',
    cell: ({ active, role_type }) =>
      role_type === ROLES.archived ? (
        <Badge tone="error" shape="ban">
          {t('state.banned')}
        </Badge>
      ) : (
        <Badge tone={active ? 'ok' : 'pending'}>{t(active ? 'state.live' : 'staff.off')}</Badge>
      ),
  },
];
