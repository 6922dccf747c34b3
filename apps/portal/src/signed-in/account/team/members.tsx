import { ROLES } from '@gatehouse/client-sdk';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { roleName } from '@gatehouse/ui/team/role-name';
import { memberStatus, TeamRow } from '@gatehouse/ui/team/team-row';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { RemoveDialog, RoleDialog, TransferDialog } from './change-member-dialogs.js';
import type { RoleRules, TeamMember } from './team-roles.js';

type Asking = 'role' | 'remove' | 'transfer';

type Pages = ComponentProps<typeof More>['of'];

/** A list of so few needs no search. */
const FEW = 10;

/** The members of the account, with what may be done about each of them. */
export function Members({
  rows,
  pages,
  roles,
  isPrimaryOwner,
  onNotice,
}: {
  readonly rows: readonly TeamMember[];
  readonly pages: Pages;
  readonly roles: RoleRules | undefined;
  /** Whether the viewer is the primary owner. */
  readonly isPrimaryOwner: boolean;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { mayDo } = usePlace();
  const me = useMe();
  const [asked, setAsked] = useState<{ readonly about: TeamMember; readonly what: Asking }>();
  const close = (): void => setAsked(undefined);

  const actionsOf = (member: TeamMember): readonly Asking[] => {
    const { accountRole, isPrimaryOwner: ownsIt, emailVerified, id } = member;
    if (roles === undefined || accountRole === null || !mayDo('member.manage') || ownsIt === true) return [];
    const isOther = id !== me.member.id;
    if (!roles.mayChange(accountRole)) return [];
    return [
      'role',
      ...(isPrimaryOwner && isOther && emailVerified && roles.hasAccess(accountRole)
        ? (['transfer'] as const)
        : []),
      ...(isOther ? (['remove'] as const) : []),
    ];
  };

  const { q = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const listed = (some: readonly TeamMember[], of: Pages): ReactElement => (
    <>
      <ul>
        {some.map((member) => (
          <Row
            key={member.id}
            member={member}
            isSelf={member.id === me.member.id}
            actions={actionsOf(member)}
            onAsk={(what) => setAsked({ about: member, what })}
          />
        ))}
      </ul>
      <More of={of} />
    </>
  );
  return (
    <Card title={ofTeams('team.members')}>
      {q !== '' || pages.hasNextPage || rows.length > FEW ? (
        <search className="block border-b border-line p-3">
          <SearchField
            label={t('team.search')}
            text={q}
            onLook={(text) =>
              void navigate({ to: '.', search: text === '' ? {} : { q: text }, replace: true })
            }
          />
        </search>
      ) : null}
      {q.trim() === '' ? listed(rows, pages) : <Found words={q.trim()} listed={listed} />}
      {asked?.what === 'role' && roles !== undefined ? (
        <RoleDialog member={asked.about} roles={roles} onNotice={onNotice} onClose={close} />
      ) : null}
      {asked?.what === 'remove' ? (
        <RemoveDialog member={asked.about} onNotice={onNotice} onClose={close} />
      ) : null}
      {asked?.what === 'transfer' ? (
        <TransferDialog member={asked.about} onNotice={onNotice} onClose={close} />
      ) : null}
    </Card>
  );
}

/** The members who have all the words, each in any of their names or in the address. */
function Found({
  words,
  listed,
}: {
  readonly words: string;
  readonly listed: (rows: readonly TeamMember[], pages: Pages) => ReactElement;
}): ReactElement {
  const { api, key } = usePlace();
  const found = usePages(
    [...key, 'members', words],
    (page, signal) => api.member.search.query({ ...page, username: words }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <QueryView answer={found} isPart>
      {(rows) => (
        <div aria-busy={found.isPlaceholderData}>
          <p role="status" className={rows.length === 0 ? 'p-3 text-quiet' : 'sr-only'}>
            {t(rows.length === 0 ? 'team.noneMatch' : found.hasNextPage ? 'team.countMany' : 'team.count', {
              count: rows.length,
            })}
          </p>
          {listed(rows, found)}
        </div>
      )}
    </QueryView>
  );
}

const ACTIONS = { role: 'role.open', transfer: 'transfer.open', remove: 'remove.open' } as const;

function Row({
  member,
  isSelf,
  actions,
  onAsk,
}: {
  readonly member: TeamMember;
  readonly isSelf: boolean;
  readonly actions: readonly Asking[];
  readonly onAsk: (what: Asking) => void;
}): ReactElement {
  const { accountRole, accountRoleLabel, email, emailVerified, isPrimaryOwner } = member;
  const name = shownName(member);
  const hasAccess = accountRole !== ROLES.archived && member.role_type !== ROLES.archived;
  const { tone, words } = memberStatus({ hasAccess, emailVerified, isPrimaryOwner });
  return (
    <TeamRow
      tone={tone}
      about={name}
      lines={
        <>
          <p>
            <bdi className="font-semibold">{name}</bdi>
            {isSelf ? <span className="text-quiet"> {t('team.self')}</span> : null}
          </p>
          {email === null ? null : <bdi className="block text-quiet">{shownAddress(email)}</bdi>}
          {words === undefined ? null : <p className="text-note text-quiet">{words}</p>}
        </>
      }
      role={accountRoleLabel === null ? null : roleName(accountRoleLabel)}
      actions={actions.map((what) => ({
        words: ofTeams(ACTIONS[what]),
        isGrave: what === 'remove',
        onClick: () => onAsk(what),
      }))}
    />
  );
}
