import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { Initials } from '@gatehouse/ui/parts/initials';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { t } from '../words.js';
import { LINK } from './action-links.js';

type Main = Pick<LinkProps, 'to' | 'params'>;

/** The member or account of a main screen. */
interface Visit {
  readonly name: string;
  readonly id: number;
  readonly main: Main;
}

const MOST_VISITS = 5;

/** The members and accounts seen since the document was opened, the last one first. Names of people are in no storage. */
export const visits: Visit[] = [];

/** Whether a main screen is that of a person. */
export const isOfPerson = (main: Main | undefined): boolean => main?.to === '/members/$memberId';

function recordVisit(visit: Visit): void {
  const others = visits.filter(({ id, main }) => id !== visit.id || main.to !== visit.main.to);
  visits.splice(0, visits.length, ...[visit, ...others].slice(0, MOST_VISITS));
}

/** Breadcrumbs: the way back to the list, and from a part to the main screen. */
export function Trail({
  to,
  all,
  name,
  id,
  main,
  here,
  isGone = false,
}: {
  readonly to: NonNullable<LinkProps['to']>;
  /** The name of the list of all. */
  readonly all: string;
  /** Absent until it is known, and for things without a name. */
  readonly name?: string | undefined;
  readonly id: number;
  /** The main screen. */
  readonly main?: Main;
  /** The part that the screen shows; absent on the main screen. */
  readonly here?: string | undefined;
  /** Whether there is no such thing, whose id is worth nothing. */
  readonly isGone?: boolean;
}): ReactElement {
  useEffect(() => {
    if (name !== undefined && main !== undefined) recordVisit({ name, id, main });
  });
  const called = (
    <>
      <bdi>{name}</bdi> <span className="font-mono">{Number.isInteger(id) ? `#${id}` : null}</span>
    </>
  );
  const slash = <span aria-hidden="true">/</span>;
  return (
    <nav
      aria-label={t('path.label')}
      className="flex flex-wrap items-baseline gap-x-2 text-quiet wrap-anywhere"
    >
      <Link to={to} className={LINK}>
        {all}
      </Link>
      {slash}
      {name !== undefined && isOfPerson(main) ? <Initials of={name} isSmall /> : null}
      {here === undefined ? (
        <>
          <span>{called}</span>
          {Number.isInteger(id) && !isGone ? (
            <CopyButton isInText text={String(id)} label={t('path.copyId')} />
          ) : null}
        </>
      ) : (
        <>
          <Link {...main} className={`${LINK} gap-1`}>
            {called}
          </Link>
          {slash}
          <span>{here}</span>
        </>
      )}
    </nav>
  );
}
