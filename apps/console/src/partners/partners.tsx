import { usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { Badge } from '@gatehouse/ui/parts/badge';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ActionLink, ROW_LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { PARTNERS_KEY, type Partner } from './partner-secret.js';

export const PartnersScreen = inLanguage(Partners);

function Partners(): ReactElement {
  return mayAsStaff(useMe(), 'partner.manage') ? <Listed /> : <Denied />;
}

function Listed(): ReactElement {
  const list = usePages<Partner>([...PARTNERS_KEY, 'list'], (page, signal) =>
    gatehouse.api.partner.list.query(page, { signal }),
  );
  return (
    <Screen
      title={t('frame.partners')}
      lead={t('partners.lead')}
      actions={
        <ActionLink isMain to="/partners/new">
          {t('partners.add')}
        </ActionLink>
      }
    >
      <PagedTable
        list={list}
        none={t('partners.none')}
        label={t('frame.partners')}
        columns={columnsOf()}
        nameOf={({ name }) => name}
      />
    </Screen>
  );
}

const columnsOf = (): readonly Column<Partner>[] => [
  {
    key: 'name',
    title: t('fact.name'),
    className: TITLE_CELL,
    cell: ({ id, name }, tabIndex) => (
      <Link
        to="/partners/$partnerId"
        params={{ partnerId: String(id) }}
        tabIndex={tabIndex}
        className={ROW_LINK}
      >
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: 'app', title: t('partners.appUrl'), cell: ({ appUrl }) => <bdi>{appUrl}</bdi> },
  {
    key: 'used',
    title: t('list.lastUsed'),
    className: 'w-44 text-quiet',
    isNamed: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('members.never') : <At at={lastUsedAt} />),
  },
  {
    key: 'state',
    title: t('list.status'),
    className: 'w-36',
    cell: ({ active }) =>
      active ? (
        <Badge tone="ok">{t('state.live')}</Badge>
      ) : (
        <Badge tone="error" shape="ban">
          {t('partners.off')}
        </Badge>
      ),
  },
];
