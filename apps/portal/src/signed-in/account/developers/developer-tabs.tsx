import type { Permission } from '@gatehouse/client-sdk';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePlace } from '../account-place.js';
import { t } from './words.js';

const TABS = [
  { permission: 'key.manage', to: '/a/$account/developers', words: 'keys.title', exact: true },
  {
    permission: 'event.manage',
    to: '/a/$account/developers/endpoints',
    words: 'endpoints.title',
    exact: false,
  },
] as const satisfies readonly {
  permission: Permission;
  to: LinkProps['to'];
  words: string;
  exact: boolean;
}[];

/** Leads to the screens for developers that the caller may see. */
export function DeveloperTabs(): ReactElement {
  const { accountId, maySee } = usePlace();
  return (
    <nav aria-label={t('developers.navigation')} className="max-w-5xl border-b border-line">
      <ul className="flex flex-wrap gap-x-6">
        {TABS.filter(({ permission }) => maySee(permission)).map(({ to, words, exact }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ account: String(accountId) }}
              activeOptions={{ exact, includeSearch: false }}
              className="-mb-px flex min-h-10 items-center border-b-3"
              activeProps={{ className: 'border-harbour font-semibold', 'aria-current': 'page' }}
              inactiveProps={{ className: 'border-transparent text-quiet hover:border-line hover:text-ink' }}
            >
              {t(words)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
