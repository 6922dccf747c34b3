import type { ListedMember } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useCallback, useId, useState } from 'react';
import { BulkBar } from '../bulk/bulk-bar.js';
import { learnNames } from '../bulk/bulk-run.js';
import { gatehouse } from '../client.js';
import { mayAnywhere, ROLE_NUMBERS, roleChoice, useMe } from '../session/me.js';
import { type Filters, readFilters, SORTS, STATES } from '../shell/member-filters.js';
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

const FIELD = 'min-h-10 w-full rounded-small border border-edge bg-card px-3 py-2 text-ink wide:min-h-8';

/** What to look for among members. */
export function FiltersBar({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}): ReactElement {
  const id = useId();
  return (
    <search className="grid gap-3 rows:grid-cols-[minmax(0,30rem)_10rem_10rem]">
      <SearchField
        label={t('members.search')}
        text={filters.q ?? ''}
        onLook={(q) => onChange(readFilters({ ...filters, q }))}
      />
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-state`} className="text-note text-quiet">
          {t('members.state')}
        </label>
        <select
          id={`${id}-state`}
          value={filters.state ?? ''}
          onChange={({ target: { value } }) => onChange(readFilters({ ...filters, state: value }))}
          className={FIELD}
        >
          <option value="">{t('members.anyState')}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t(STATE_WORDS[state])}
            </option>
          ))}
        </select>
      </div>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-role`} className="text-note text-quiet">
          {t('members.role')}
        </label>
        <select
          id={`${id}-role`}
          value={filters.role ?? ''}
          onChange={({ target: { value } }) => onChange(readFilters({ ...filters, role: value }))}
          className={FIELD}
        >
          <option value="">{t('members.anyRole')}</option>
          {ROLE_NUMBERS.map((number) => (
            <option key={number} value={number}>
              {roleChoice(number)}
            </option>
          ))}
        </select>
      </div>
      {/* If there is room for all columns, their headers sort. */}
      <div className="flex flex-col gap-1 wide:hidden">
        <label htmlFor={`${id}-sort`} className="text-note text-quiet">
          {t('sort.label')}
        </label>
        <select
          id={`${id}-sort`}
          value={filters.sort ?? ''}
          onChange={({ target: { value } }) => onChange(readFilters({ ...filters, sort: value }))}
          className={FIELD}
        >
          <option value="">{t('sort.none')}</option>
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(SORT_WORDS[sort])}
            </option>
          ))}
        </select>
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
    <Screen title={t('members.title')} lead={t('members.lead')} actions={<ExportButton filters={filters} />}>
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
          <div className="flex flex-col items-start gap-3 border-t-2 border-ink bg-card p-3">
            <p role="status">{t(isFiltered ? 'members.noneMatch' : 'members.none')}</p>
            {isFiltered ? <Button onClick={onClear}>{t('members.clear')}</Button> : null}
          </div>
        )
      }
    </QueryView>
  );
}
