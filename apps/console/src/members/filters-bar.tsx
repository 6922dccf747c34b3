import { type ReactElement, useId } from 'react';
import { ROLE_NUMBERS, roleWords } from '../session/roles.js';
import { SearchField } from '../shell/search-field.js';
import { t } from '../words.js';
import { type Filters, readFilters, STATES } from './filters.js';

const STATE_WORDS = {
  live: 'state.live',
  banned: 'state.banned',
  deleting: 'state.deleting',
  deleted: 'state.deleted',
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
    <search className="grid gap-3 rows:grid-cols-[minmax(0,1fr)_10rem_10rem]">
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
              {roleWords(number)}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}
