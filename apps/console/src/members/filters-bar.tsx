import { ROLES } from '@gatehouse/client-sdk/admin';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { t } from '../words.js';
import { type Filters, readFilters, STATES } from './filters.js';

/** How long nobody types before it is looked for. */
const QUIET_MS = 200;

const STATE_WORDS = {
  live: 'state.live',
  banned: 'state.banned',
  deleting: 'state.deleting',
  deleted: 'state.deleted',
} as const;

const ROLE_WORDS = [
  [ROLES.admin, 'role.admin'],
  [ROLES.owner, 'role.owner'],
  [ROLES.accountManager, 'role.accountManager'],
  [ROLES.manager, 'role.manager'],
  [ROLES.contributor, 'role.contributor'],
  [ROLES.designer, 'role.designer'],
  [ROLES.userMember, 'role.userMember'],
] as const;

const FIELD = 'min-h-10 w-full rounded-small border border-edge bg-sheet px-3 py-2 text-ink wide:min-h-8';

/** What to look for among members. */
export function FiltersBar({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}): ReactElement {
  const id = useId();
  const [text, setText] = useState(filters.q ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(filters.q ?? '');

  // Back, and "clear filters", change what is looked for without this field.
  useEffect(() => {
    if ((filters.q ?? '') === written.current) return;
    written.current = filters.q ?? '';
    setText(written.current);
  }, [filters.q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function look(next: string): void {
    clearTimeout(timer.current);
    written.current = next;
    onChange(readFilters({ ...filters, q: next }));
  }

  return (
    <search className="grid gap-3 rows:grid-cols-[minmax(0,1fr)_10rem_10rem]">
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-q`} className="text-note text-quiet">
          {t('members.search')}
        </label>
        <input
          id={`${id}-q`}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => look(value), QUIET_MS);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') look(text);
          }}
          className={FIELD}
        />
      </div>
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
          {ROLE_WORDS.map(([number, word]) => (
            <option key={number} value={number}>
              {t(word)}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}
