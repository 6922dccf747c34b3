import type { Member } from '@gatehouse/client-sdk/admin';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import type { Choice } from '@gatehouse/ui/table/choice';
import { type Column, DataTable } from '@gatehouse/ui/table/data-table';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { t } from '../words.js';

const WIDE = 'hidden rows:table-cell';

const columnsOf = (): readonly Column<Member>[] => [
  {
    key: 'name',
    title: t('fact.name'),
    cell: (member, tabIndex) => (
      <>
        <Link
          to="/members/$memberId"
          params={{ memberId: String(member.id) }}
          tabIndex={tabIndex}
          className="inline-flex min-h-6 items-center font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
        >
          <bdi>{shownName(member)}</bdi>
        </Link>
        <span className="block text-quiet rows:hidden">
          <bdi>{member.email === null ? null : shownAddress(member.email)}</bdi>
        </span>
      </>
    ),
  },
  {
    key: 'email',
    title: t('fact.email'),
    className: WIDE,
    cell: ({ email, emailVerified }) => (
      <>
        <bdi>{email === null ? null : shownAddress(email)}</bdi>
        {email === null || emailVerified ? null : (
          <span className="text-quiet"> {t('members.unconfirmed')}</span>
        )}
      </>
    ),
  },
  {
    key: 'role',
    title: t('fact.role'),
    className: `${WIDE} w-44`,
    cell: ({ role }) => <bdi>{role}</bdi>,
  },
  {
    key: 'since',
    title: t('fact.since'),
    className: `${WIDE} w-32`,
    cell: ({ createdAt }) => shownDay(createdAt),
  },
  {
    key: 'id',
    title: t('fact.id'),
    className: 'w-20',
    isAtEnd: true,
    cell: ({ id }) => <span className="font-mono text-quiet">#{id}</span>,
  },
];

/** Members, a row each; on a phone the details are below the name. */
export function MembersTable({
  members,
  choice,
  onEnd,
}: {
  readonly members: readonly Member[];
  /** Absent where nothing can be done about many. */
  readonly choice: Choice | undefined;
  readonly onEnd: (() => void) | undefined;
}): ReactElement {
  const { locale } = catalogue;
  const columns = useMemo(columnsOf, [locale]);
  return (
    <DataTable
      label={t('members.title')}
      columns={columns}
      rows={members}
      nameOf={shownName}
      {...(choice === undefined ? {} : { choice })}
      onEnd={onEnd}
    />
  );
}
