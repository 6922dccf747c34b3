import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';

/** A link to another screen among the actions of a page header. */
export function ActionLink({
  isMain = false,
  ...link
}: Pick<LinkProps, 'to' | 'params' | 'search' | 'children'> & {
  /** Whether it is what most people come for. */
  readonly isMain?: boolean;
}): ReactElement {
  const look = isMain
    ? 'border-harbour bg-harbour text-on-harbour hover:border-ink hover:bg-ink hover:text-paper'
    : 'border-edge bg-card text-ink hover:bg-well';
  return (
    <Link
      {...link}
      className={`inline-flex min-h-10 items-center justify-center rounded-small border px-4 py-2 text-center font-semibold ${look}`}
    />
  );
}

/** Links to the ways to see a screen. A phone scrolls them sideways. */
export function ChoiceLinks({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <nav aria-label={label} className="overflow-x-auto">
      <div className="flex w-max">{children}</div>
    </nav>
  );
}

/** One of several ways to see the same screen. */
export function ChoiceLink({
  isChosen,
  ...link
}: Pick<LinkProps, 'to' | 'params' | 'search' | 'children'> & { readonly isChosen: boolean }): ReactElement {
  return (
    <Link
      {...link}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isChosen ? 'page' : undefined}
      className={`inline-flex min-h-10 items-center border-b-3 px-3 focus-visible:-outline-offset-2 wide:min-h-8 ${isChosen ? 'border-harbour font-semibold' : 'border-transparent hover:bg-well'}`}
    />
  );
}

/** The style of a link within a card or breadcrumbs. */
export const LINK = 'inline-flex min-h-6 items-center text-harbour underline decoration-1 underline-offset-3';

/** The style of the link that names a row of a table. */
export const ROW_LINK =
  'inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current';
