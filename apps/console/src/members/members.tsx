import type { ListedMember } from '@gatehouse/client-sdk/admin';
import { FilterSelect } from '@gatehouse/ui/list/filter-select';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback, useState } from 'react';
import { BulkBar } from '../bulk/bulk-bar.js';
import { learnNames } from '../bulk/bulk-run.js';
import { gatehouse } from '../client.js';
import { mayAnywhere, ROLE_NUMBERS, roleChoice, useMe } from '../session/me.js';
import { type Filters, readFilters, SORTS, STATES } from '../shell/member-filters.js';
import { NoneFound } from '../shell/none-found.js';
import { t } from '../words.js';
import { askedFor, ChooseAll, ExportButton } from './matching-members.js';
import { MembersTable } from './members-table.js';
import { STATE_WORDS } from './state-words.js';
import { Views } from './views.js';

const SORT_WORDS = {
  '-id': 'sort.newest',
  id: 'sort.oldest',
  email: 'sort.email',
  '-email': 'sort.emailBackwards',
  '-lastLogin': 'sort.lastLogin',
  lastLogin: 'sort.lastLoginBackwards',
} as const;

/** What to look for among members. */
export function FiltersBar({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}): ReactElement {
  return (
    <search className="grid grid-cols-2 gap-3 *:first:col-span-full rows:grid-cols-[minmax(0,30rem)_10rem_10rem] rows:*:first:col-span-1">
      <SearchField
        label={t('members.search')}
        text={filters.q ?? ''}
        onLook={(q) => onChange(readFilters({ ...filters, q }))}
      />
      <FilterSelect
        label={t('list.status')}
        value={filters.state ?? ''}
        choices={[
          { value: '', label: t('members.anyState') },
          ...STATES.map((state) => ({ value: state, label: t(STATE_WORDS[state]) })),
        ]}
        onChange={(state) => onChange(readFilters({ ...filters, state }))}
      />
      <FilterSelect
        label={t('fact.role')}
        value={String(filters.role ?? '')}
        choices={[
          { value: '', label: t('members.anyRole') },
          ...ROLE_NUMBERS.map((number) => ({ value: String(number), label: roleChoice(number) })),
        ]}
        onChange={(role) => onChange(readFilters({ ...filters, role }))}
      />
      {/* If there is room for all columns, their headers sort. */}
      <div className="wide:hidden">
        <FilterSelect
          label={t('sort.label')}
          value={filters.sort ?? ''}
          choices={[
            { value: '', label: t('sort.none') },
            ...SORTS.map((sort) => ({ value: sort, label: t(SORT_WORDS[sort]) })),
          ]}
          onChange={(sort) => onChange(readFilters({ ...filters, sort }))}
        />
      </div>
    </search>
  );
}

export const MembersScreen = inLanguage(Members);

const route = getRouteApi('/frame/members');

/** The first page is short so that it loads fast; later pages are longer. */
const FIRST_PAGE = 50;

const NEXT_PAGE = 200;

function Members(): ReactElement {
  return mayAnywhere(useMe(), 'member.list') ? <Found /> : <Denied />;
}

function Found(): ReactElement {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Screen title={t('frame.members')} lead={t('members.lead')} actions={<ExportButton filters={filters} />}>
      <div className="flex flex-col gap-4">
        <Views filters={filters} />
        <FiltersBar filters={filters} onChange={(next) => void navigate({ search: next, replace: true })} />
        <List
          filters={filters}
          onSort={(sort) => void navigate({ search: readFilters({ ...filters, sort }), replace: true })}
          onClear={() => void navigate({ search: {} })}
        />
      </div>
    </Screen>
  );
}

/** The actions on all members in such a state. */
const actionsFor = ({ state }: Filters) =>
  state === 'banned' ? (['unban'] as const) : (['confirm', 'end', 'ban'] as const);

const NO_CHOICE = { among: '', chosen: new Set<number>() as ReadonlySet<number> };

function List({
  filters,
  onSort,
  onClear,
}: {
  readonly filters: Filters;
  readonly onSort: (sort: string | undefined) => void;
  readonly onClear: () => void;
}): ReactElement {
  const me = useMe();
  const [choice, setChoice] = useState(NO_CHOICE);
  const looksFor = JSON.stringify(filters);
  // A selection does not carry over to another list.
  const chosen = choice.among === looksFor ? choice.chosen : NO_CHOICE.chosen;
  // Bulk actions leave out the person who starts them.
  const setChosen = (next: ReadonlySet<number>) => {
    learnNames((list.data ?? []).filter(({ id }) => next.has(id)));
    setChoice({ among: looksFor, chosen: new Set([...next].filter((id) => id !== me.member.id)) });
  };
  const isGone = filters.state === 'deleted' || filters.state === 'deleting';
  const mayChoose = mayAnywhere(me, 'member.manage') && !isGone;
  const list = usePages<ListedMember>(
    ['members', filters],
    (page, signal) =>
      gatehouse.api.member.search.query(
        { ...page, ...askedFor(filters), limit: page.cursor === undefined ? FIRST_PAGE : NEXT_PAGE },
        { signal },
      ),
    { keepsPrevious: true },
  );
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const goOn = useCallback(() => {
    if (!isFetching && !isError) void fetchNextPage();
  }, [isFetching, isError, fetchNextPage]);
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  return (
    <QueryView answer={list} isPart>
      {(members) =>
        members.length > 0 ? (
          <div aria-busy={list.isPlaceholderData}>
            <p role="status" className="pb-2 text-quiet">
              {t(hasNextPage ? 'members.shownMany' : 'members.shown', { count: members.length })}
            </p>
            <MembersTable
              members={members}
              sorting={{ order: filters.sort, onChange: onSort }}
              choice={mayChoose ? { chosen, onChange: setChosen } : undefined}
              onEnd={hasNextPage ? goOn : undefined}
            />
            <More of={list} />
            {mayChoose ? (
              <BulkBar chosen={chosen} actions={actionsFor(filters)} onClear={() => setChoice(NO_CHOICE)}>
                {hasNextPage ? <ChooseAll filters={filters} onChosen={setChosen} /> : null}
              </BulkBar>
            ) : null}
          </div>
        ) : (
          <NoneFound
            words={t(isFiltered ? 'members.noneMatch' : 'members.none')}
            clear={isFiltered ? t('members.clear') : undefined}
            onClear={onClear}
          />
        )
      }
    </QueryView>
  );
}
