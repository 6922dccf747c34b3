import type { Member } from '@gatehouse/client-sdk/admin';
import { shownDay } from '@gatehouse/screens/screen/shown-time';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactElement } from 'react';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';

/** Moves the focus from row to row, as in a table of a desktop. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links[links.findIndex((link) => link.matches(':focus')) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const HEAD = 'px-3 py-2 text-note font-normal text-quiet';
const WIDE = 'hidden rows:table-cell';

/** Members, a row each; on a phone what is beside the name stands below it. */
export function MembersTable({ members }: { readonly members: readonly Member[] }): ReactElement {
  return (
    <table className="w-full table-fixed border-t-2 border-ink bg-sheet" aria-label={t('members.title')}>
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className={`${HEAD} text-start`}>
            {t('fact.name')}
          </th>
          <th scope="col" className={`${HEAD} ${WIDE} text-start`}>
            {t('fact.email')}
          </th>
          <th scope="col" className={`${HEAD} ${WIDE} w-44 text-start`}>
            {t('fact.role')}
          </th>
          <th scope="col" className={`${HEAD} ${WIDE} w-32 text-start`}>
            {t('fact.since')}
          </th>
          <th scope="col" className={`${HEAD} w-20 text-end`}>
            {t('fact.id')}
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={onArrow}>
        {members.map((member) => (
          <tr key={member.id} className="border-b border-line hover:bg-well">
            <td className="px-3 py-2 wrap-anywhere">
              <Link
                to="/members/$memberId"
                params={{ memberId: String(member.id) }}
                className="inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
              >
                <bdi>{shownName(member)}</bdi>
              </Link>
              <span className="block text-quiet rows:hidden">
                <bdi>{member.email}</bdi>
              </span>
            </td>
            <td className={`px-3 py-2 wrap-anywhere ${WIDE}`}>
              <bdi>{member.email}</bdi>
              {member.email === null || member.emailVerified ? null : (
                <span className="text-quiet"> {t('members.unconfirmed')}</span>
              )}
            </td>
            <td className={`px-3 py-2 wrap-anywhere ${WIDE}`}>
              <bdi>{member.role}</bdi>
            </td>
            <td className={`px-3 py-2 ${WIDE}`}>{shownDay(member.createdAt)}</td>
            <td className="px-3 py-2 text-end font-mono text-quiet">#{member.id}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
