import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { t } from './words.js';

/** A link to a screen for developers. */
export function DeveloperTab({
  isHere,
  link,
  children,
}: {
  /** Whether its screen is shown, and not only loading. */
  readonly isHere: boolean;
  readonly link: ComponentProps<'a'>;
  readonly children: ReactNode;
}): ReactElement {
  const look = isHere
    ? 'border-harbour font-semibold'
    : 'border-transparent text-quiet hover:border-line hover:text-ink';
  return (
    <li>
      <a
        {...link}
        aria-current={isHere ? 'page' : undefined}
        className={`flex min-h-10 items-center border-b-3 focus-visible:-outline-offset-2 ${look}`}
      >
        {children}
      </a>
    </li>
  );
}

/** Leads to the screens for developers, each in an item of a list. */
export function DeveloperTabs({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <nav aria-label={t('developers.navigation')} className="max-w-page overflow-x-auto border-b border-line">
      <ul className="flex w-max gap-x-6">{children}</ul>
    </nav>
  );
}
