import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';

/** A link to another screen among the actions of a page header. */
export function ActionLink(link: Pick<LinkProps, 'to' | 'params' | 'search' | 'children'>): ReactElement {
  return (
    <Link
      {...link}
      className="inline-flex min-h-10 items-center justify-center rounded-small border border-edge bg-card px-4 py-2 text-center font-semibold text-ink hover:bg-well"
    />
  );
}
