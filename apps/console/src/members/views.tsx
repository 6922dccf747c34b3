import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import type { Filters } from '../shell/member-filters.js';
import { keepViews, readViews, type SavedView } from '../shell/saved-views.js';
import { t } from '../words.js';

/** The saved views, kept in this browser for the person signed in. */
export function Views({ filters }: { readonly filters: Filters }): ReactElement {
  const { id } = useMe().member;
  const [views, setViews] = useState(() => readViews(id));
  const [isNaming, setNaming] = useState(false);
  const looksFor = JSON.stringify(filters);
  const isNew = looksFor !== '{}' && views.every((view) => JSON.stringify(view.filters) !== looksFor);

  function keep(next: readonly SavedView[]): void {
    keepViews(id, next);
    setViews(next);
  }

  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 empty:hidden">
      {views.length === 0 ? null : (
        <ul aria-label={t('views.label')} className="flex flex-wrap items-center gap-x-5 gap-y-1">
          {views.map((view) => (
            <li key={view.name} className="flex items-center gap-1">
              <Link
                to="/members"
                search={view.filters}
                activeOptions={{ exact: true, includeSearch: true }}
                activeProps={{ className: 'font-semibold' }}
                className={LINK}
              >
                <bdi>{view.name}</bdi>
              </Link>
              <button
                type="button"
                aria-label={t('views.remove', { name: view.name })}
                className="size-6 cursor-pointer text-quiet hover:text-ink"
                onClick={() => keep(views.filter(({ name }) => name !== view.name))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNew ? <Button onClick={() => setNaming(true)}>{t('views.save')}</Button> : null}
      {isNaming ? (
        <NameDialog
          onNamed={(name) => {
            keep([...views.filter((view) => view.name !== name), { name, filters }]);
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </div>
  );
}

function NameDialog({
  onNamed,
  onClose,
}: {
  readonly onNamed: (name: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('name');
  return (
    <Confirm
      title={t('views.save')}
      effect={t('views.effect')}
      action={t('views.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={({ name = '' }) => {
        if (name.trim() !== '') onNamed(name.trim());
        return Promise.resolve();
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t('views.name')} autoComplete="off" maxLength={60} required />
    </Confirm>
  );
}
