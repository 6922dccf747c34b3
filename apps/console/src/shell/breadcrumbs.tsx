import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { t } from '../words.js';
import { LINK } from './action-links.js';

/** Breadcrumbs: the way back to the list. */
export function Trail({
  to,
  all,
  name,
  id,
}: {
  readonly to: NonNullable<LinkProps['to']>;
  /** The name of the list of all. */
  readonly all: string;
  /** Absent until it is known, and for what has no name. */
  readonly name?: string;
  readonly id: number;
}): ReactElement {
  return (
    <nav
      aria-label={t('path.label')}
      className="flex flex-wrap items-baseline gap-x-2 text-quiet wrap-anywhere"
    >
      <Link to={to} className={LINK}>
        {all}
      </Link>
      <span aria-hidden="true">/</span>
      <span>
        <bdi>{name}</bdi> <span className="font-mono">#{id}</span>
      </span>
    </nav>
  );
}
