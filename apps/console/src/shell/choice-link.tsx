import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';

/** One of several ways to see the same screen. */
export function ChoiceLink({
  isChosen,
  ...link
}: Pick<LinkProps, 'to' | 'search' | 'children'> & { readonly isChosen: boolean }): ReactElement {
  return (
    <Link
      {...link}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isChosen ? 'page' : undefined}
      className={`inline-flex min-h-10 items-center border-b-3 px-3 wide:min-h-8 ${isChosen ? 'border-harbour font-semibold' : 'border-transparent hover:bg-well'}`}
    />
  );
}
