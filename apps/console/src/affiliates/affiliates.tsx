import { usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ROW_LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { AFFILIATES_KEY, type Affiliate } from './affiliate-query.js';

export const AffiliatesScreen = inLanguage(Affiliates);

const route = getRouteApi('/frame/affiliates');

function Affiliates(): ReactElement {
  return mayAsStaff(useMe(), 'affiliate.read') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages<Affiliate>(
    [...AFFILIATES_KEY, 'list', q],
    (page, signal) => gatehouse.api.affiliate.search.query({ ...page, search: q }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Screen title={t('frame.affiliates')} lead={t('affiliates.lead')}>
      <div className="flex flex-col gap-4">
        <SearchField
          label={t('affiliates.search')}
          text={q}
          onLook={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
        />
        <PagedTable
          list={list}
          none={t(q === '' ? 'affiliates.noneYet' : 'affiliates.none')}
          label={t('frame.affiliates')}
          columns={columnsOf()}
          nameOf={shownName}
        />
      </div>
    </Screen>
  );
}

const columnsOf = (): readonly Column<Affiliate>[] => [
  {
    key: 'name',
    title: t('fact.name'),
    className: TITLE_CELL,
    cell: (affiliate, tabIndex) => (
      <Link
        to="/affiliates/$memberId"
        params={{ memberId: String(affiliate.memberId) }}
        tabIndex={tabIndex}
        className={ROW_LINK}
      >
        <bdi>{shownName(affiliate)}</bdi>
      </Link>
    ),
  },
  {
    key: 'code',
    title: t('affiliates.code'),
    cell: ({ code }) => <bdi className="font-mono">{code}</bdi>,
  },
  {
    key: 'percent',
    title: t('affiliates.percent'),
    className: 'w-32',
    isAtEnd: true,
    cell: ({ commissionPercent }) => `${commissionPercent} %`,
  },
  {
    key: 'state',
    title: t('list.status'),
    className: 'w-36',
    cell: ({ active }) => (
      <Badge tone={active ? 'ok' : 'pending'}>{t(active ? 'state.live' : 'staff.off')}</Badge>
    ),
  },
];
