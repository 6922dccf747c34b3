import type { ListedMember } from '@gatehouse/client-sdk/admin';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Badge } from '@gatehouse/ui/parts/badge';
import { PersonCell } from '@gatehouse/ui/parts/initials';
import { Ago } from '@gatehouse/ui/screen/ago';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import type { Choice } from '@gatehouse/ui/table/choice';
import { type Column, DataTable, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import type { Sorting } from '@gatehouse/ui/table/sort-button';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { roleOf } from '../session/me.js';
import { ROW_LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { STATE_WORDS } from './state-words.js';

const FROM_DESKTOP = 'max-wide:rows:hidden';

const FROM_WIDE_DESKTOP = 'max-[1440px]:rows:hidden';

const up = (name: string) => ({ name, isDescending: false });

const down = (name: string) => ({ name: `-${name}`, isDescending: true });

const columnsOf = (): readonly Column<ListedMember>[] => [
  {
    key: 'name',
    title: t('fact.name'),
    className: TITLE_CELL,
    cell: (member, tabIndex) => (
      <PersonCell name={shownName(member)}>
        <Link
          to="/members/$memberId"
          params={{ memberId: String(member.id) }}
          tabIndex={tabIndex}
          className={ROW_LINK}
        >
          <bdi>{shownName(member)}</bdi>
        </Link>
        {member.status === 'live' ? null : (
          <>
            {' '}
            <Badge tone="error" shape="ban">
              {t(STATE_WORDS[member.status])}
            </Badge>
          </>
        )}
      </PersonCell>
    ),
  },
  {
    key: 'email',
    title: t('fact.email'),
    className: 'min-[1440px]:w-64',
    orders: [up('email'), down('email')],
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
    key: 'account',
    title: t('members.account'),
    className: FROM_WIDE_DESKTOP,
    cell: ({ account, accountCount }) =>
      account === null ? null : (
        <>
          <bdi>{account.name}</bdi>
          {accountCount > 1 ? (
            <span className="text-quiet"> {t('members.moreAccounts', { count: accountCount - 1 })}</span>
          ) : null}
        </>
      ),
  },
  {
    key: 'role',
    title: t('fact.role'),
    className: 'w-36',
    cell: (member) => <bdi>{roleOf(member)}</bdi>,
  },
  {
    key: 'twoStep',
    title: t('members.twoStep'),
    isNamed: true,
    className: `${FROM_WIDE_DESKTOP} w-24`,
    cell: ({ secondFactor }) =>
      secondFactor ? t('fact.on') : <span className="text-quiet">{t('fact.off')}</span>,
  },
  {
    key: 'lastLogin',
    title: t('members.lastLogin'),
    isNamed: true,
    className: `${FROM_DESKTOP} w-32`,
    orders: [down('lastLogin'), up('lastLogin')],
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? (
        <span className="text-quiet">{t('members.never')}</span>
      ) : (
        <Ago at={lastLoginAt} />
      ),
  },
  {
    key: 'id',
    title: t('fact.id'),
    className: 'w-18',
    isAtEnd: true,
    orders: [down('id'), up('id')],
    cell: ({ id }) => <span className="font-mono text-quiet">#{id}</span>,
  },
];

/** Members, a row each; on a phone the details are below the name. */
export function MembersTable({
  members,
  choice,
  sorting,
  onEnd,
}: {
  readonly members: readonly ListedMember[];
  /** Absent if no action on several members is possible. */
  readonly choice: Choice | undefined;
  readonly sorting: Sorting;
  readonly onEnd: (() => void) | undefined;
}): ReactElement {
  const { locale } = catalogue;
  const columns = useMemo(columnsOf, [locale]);
  return (
    <DataTable
      label={t('frame.members')}
      columns={columns}
      rows={members}
      nameOf={shownName}
      {...(choice === undefined ? {} : { choice })}
      sorting={sorting}
      isStacked
      onEnd={onEnd}
    />
  );
}
