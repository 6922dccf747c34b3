import type { ReactElement, ReactNode } from 'react';
import { t } from './words.js';

/** How the router's link to a screen for developers looks. */
export const TAB_LINK = {
  className: '-mb-px flex min-h-10 items-center border-b-3',
  activeProps: { className: 'border-harbour font-semibold', 'aria-current': 'page' },
  inactiveProps: { className: 'border-transparent text-quiet hover:border-line hover:text-ink' },
} as const;

/** Leads to the screens for developers, each in an item of a list. */
export function DeveloperTabs({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <nav aria-label={t('developers.navigation')} className="max-w-5xl border-b border-line">
      <ul className="flex flex-wrap gap-x-6">{children}</ul>
    </nav>
  );
}
