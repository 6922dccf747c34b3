import type { Member } from '@gatehouse/client-sdk/admin';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shownName } from '../session/shown-name.js';
import { LINK } from '../shell/link-look.js';
import { t } from '../words.js';

/** Where a screen about a member stands: the way back to the member, and to all of them. */
export function Path({
  member,
  here,
}: {
  readonly member: Pick<Member, 'id' | 'firstName' | 'lastName' | 'username'>;
  /** What the screen shows of the member; absent on the member's own. */
  readonly here?: string;
}): ReactElement {
  const name = (
    <>
      <bdi>{shownName(member)}</bdi> <span className="font-mono">#{member.id}</span>
    </>
  );
  return (
    <nav
      aria-label={t('path.label')}
      className="flex flex-wrap items-baseline gap-x-2 text-quiet wrap-anywhere"
    >
      <Link to="/members" className={LINK}>
        {t('members.title')}
      </Link>
      <span aria-hidden="true">/</span>
      {here === undefined ? (
        <span>{name}</span>
      ) : (
        <>
          <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={`${LINK} gap-1`}>
            {name}
          </Link>
          <span aria-hidden="true">/</span>
          <span>{here}</span>
        </>
      )}
    </nav>
  );
}
