import { SelectField } from '@gatehouse/ui/form/select-field';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { type Column, DataTable, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { CONNECTION_STATES, readConnectionFilters } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ChoiceLink, ChoiceLinks, ROW_LINK } from '../shell/action-links.js';
import { NoneFound } from '../shell/none-found.js';
import { KINDS, type ListedConnection, stateOf } from './connection-words.js';
import { t } from './words.js';

export const ConnectionsScreen = inLanguage(Connections);

const route = getRouteApi('/frame/single-sign-on');

const STATE_WORDS = {
  on: 'sso.onlyOn',
  changed: 'sso.onlyChanged',
  off: 'sso.onlyOff',
  ending: 'sso.onlyEnding',
} as const;

function Connections(): ReactElement {
  return mayAsStaff(useMe(), 'platformSso.manage') ? <Found /> : <Denied />;
}

function Found(): ReactElement {
  const filters = route.useSearch();
  const { q = '', state, kind, sort } = filters;
  const navigate = route.useNavigate();
  const list = usePages<ListedConnection>(
    ['single-sign-on', filters],
    (page, signal) =>
      gatehouse.api.platformSso.list.query({ ...page, search: q, state, kind, sort }, { signal }),
    { keepsPrevious: true },
  );
  const look = (next: Record<string, unknown>): void =>
    void navigate({ search: readConnectionFilters({ ...filters, ...next }), replace: true });
  const isNarrowed = q !== '' || state !== undefined || kind !== undefined;
  return (
    <Screen
      title={t('sso.title')}
      lead={t('sso.lead')}
      actions={
        <Link
          to="/single-sign-on/staff"
          className="inline-flex min-h-10 items-center rounded-small border border-edge bg-card px-3 font-semibold hover:bg-well rows:min-h-8"
        >
          {t('staffSso.title')}
        </Link>
      }
    >
      <div className="flex flex-col gap-4">
        <ChoiceLinks label={t('sso.state')}>
          {[undefined, ...CONNECTION_STATES].map((each) => (
            <ChoiceLink
              key={each ?? ''}
              to="/single-sign-on"
              search={readConnectionFilters({ ...filters, state: each })}
              isChosen={state === each}
            >
              {t(each === undefined ? 'sso.any' : STATE_WORDS[each])}
            </ChoiceLink>
          ))}
        </ChoiceLinks>
        <search className="flex flex-col gap-3">
          <SearchField label={t('sso.search')} text={q} onLook={(next) => look({ q: next })} />
          <div className="flex flex-wrap gap-x-6 gap-y-3">
            <SelectField
              name="kind"
              label={t('sso.kind')}
              value={kind ?? ''}
              choices={[
                { value: '', label: t('sso.anyKind') },
                ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
              ]}
              onChange={(next) => look({ kind: next })}
            />
            <SelectField
              name="sort"
              label={t('sso.sort')}
              value={sort ?? ''}
              choices={[
                { value: '', label: t('sso.byId') },
                { value: 'certificatesEndAt', label: t('sso.byCertificate') },
              ]}
              onChange={(next) => look({ sort: next })}
            />
          </div>
        </search>
        <QueryView answer={list} isPart>
          {(connections) =>
            connections.length > 0 ? (
              <div aria-busy={list.isPlaceholderData}>
                <ConnectionsTable connections={connections} />
                <More of={list} />
              </div>
            ) : (
              <NoneFound
                words={t(isNarrowed ? 'sso.noneMatch' : 'sso.none')}
                clear={isNarrowed ? t('sso.clear') : undefined}
                onClear={() => look({ q: undefined, state: undefined, kind: undefined })}
              />
            )
          }
        </QueryView>
      </div>
    </Screen>
  );
}

const columnsOf = (): readonly Column<ListedConnection>[] => [
  {
    key: 'name',
    title: t('sso.name'),
    className: TITLE_CELL,
    cell: (connection, tabIndex) => {
      const { accountId, name, metadataProblem } = connection;
      return (
        <>
          <Link
            to="/accounts/$accountId"
            params={{ accountId: String(accountId) }}
            tabIndex={tabIndex}
            className={ROW_LINK}
          >
            <bdi>{name}</bdi>
          </Link>
          {metadataProblem === null ? null : (
            <span className="block text-brick wrap-anywhere">
              {t('sso.metadata', { problem: metadataProblem })}
            </span>
          )}
        </>
      );
    },
  },
  {
    key: 'account',
    title: t('sso.account'),
    className: 'w-44',
    cell: ({ accountName, required }) => (
      <>
        <bdi>{accountName}</bdi>
        {required ? <span className="block text-quiet">{t('sso.requiredShort')}</span> : null}
      </>
    ),
  },
  {
    key: 'issuer',
    title: t('sso.issuer'),
    className: 'w-64 max-wide:hidden',
    cell: ({ kind, issuer }) => (
      <>
        {KINDS[kind]}
        <bdi className="block text-quiet wrap-anywhere">{issuer}</bdi>
      </>
    ),
  },
  {
    key: 'state',
    title: t('sso.state'),
    className: 'w-36',
    cell: (connection) => (
      <span className={connection.active ? '' : 'text-quiet'}>{stateOf(connection).words}</span>
    ),
  },
  {
    key: 'certificate',
    title: t('sso.certificate'),
    isNamed: true,
    className: 'w-32',
    cell: ({ certificatesEndAt }) => (certificatesEndAt === null ? null : shownDay(certificatesEndAt)),
  },
];

function ConnectionsTable({
  connections,
}: {
  readonly connections: readonly ListedConnection[];
}): ReactElement {
  const { locale } = catalogue;
  const columns = useMemo(columnsOf, [locale]);
  return (
    <DataTable
      label={t('sso.title')}
      columns={columns}
      rows={connections}
      nameOf={({ name }) => name}
      isStacked
    />
  );
}
