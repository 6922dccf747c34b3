import type { Choice } from '@gatehouse/ui/form/select-field';
import { FilterSelect } from '@gatehouse/ui/list/filter-select';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { labelsNamedLike, roleName } from '@gatehouse/ui/team/role-name';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { RemoveDialog, RoleDialog, TransferDialog } from './change-member-dialogs.js';
import { MembersTable } from './members-table.js';
import type { RoleRules, TeamMember } from './team-roles.js';
import { type TeamSearch, teamSearch } from './team-search.js';

type Asking = 'role' | 'remove' | 'transfer';

type Pages = ComponentProps<typeof More>['of'];

const ACTIONS = { role: 'role.open', transfer: 'transfer.open', remove: 'remove.open' } as const;

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

  const { q = '', role } = useSearch({ strict: false });
  const navigate = useNavigate();
  const filterBy = (change: TeamSearch): void =>
    void navigate({ to: '.', search: (now) => teamSearch({ ...now, ...change }), replace: true });
  const listed = (some: readonly TeamMember[], of: Pages): ReactElement => (
    <>
      {some.length === 0 ? null : (
        <MembersTable
          rows={some}
          isWhole={!of.hasNextPage}
          actionsOf={(member) =>
            actionsOf(member).map((what) => ({
              words: ofTeams(ACTIONS[what]),
              isGrave: what === 'remove',
              onClick: () => setAsked({ about: member, what }),
            }))
          }
        />
      )}
      <More of={of} />
    </>
  );
  return (
    <Card title={ofTeams('team.members')}>
      {q !== '' || role !== undefined || pages.hasNextPage || rows.length > 1 ? (
        <search className="grid gap-3 border-b border-line p-3 rows:grid-cols-[minmax(0,30rem)_14rem]">
          <SearchField label={t('team.search')} text={q} onLook={(text) => filterBy({ q: text })} />
          <FilterSelect
            label={t('team.ofRole')}
            value={role ?? ''}
            choices={roleChoices(roles, role)}
            onChange={(label) => filterBy({ role: label })}
          />
        </search>
      ) : null}
      {q.trim() === '' && role === undefined ? (
        listed(rows, pages)
      ) : (
        <Found
          words={q.trim()}
          role={role}
          listed={listed}
          onClear={() => void navigate({ to: '.', search: {} })}
        />
      )}
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

/** The roles to filter by; also the one in the address, which may be none of the account. */
function roleChoices(roles: RoleRules | undefined, role: string | undefined): Choice[] {
  const all = roles?.all ?? [];
  const isMissing = role !== undefined && !all.some(({ value }) => value === role);
  return [
    { value: '', label: t('team.anyRole') },
    ...all,
    ...(isMissing ? [{ value: role, label: roleName(role) }] : []),
  ];
}

/** The members who have all the words, each in any of their names or in the address, and the role if one is chosen. */
function Found({
  words,
  role,
  listed,
  onClear,
}: {
  readonly words: string;
  readonly role: string | undefined;
  readonly listed: (rows: readonly TeamMember[], pages: Pages) => ReactElement;
  readonly onClear: () => void;
}): ReactElement {
  const { api, key } = usePlace();
  const ofRole = role === undefined ? {} : { roles: labelsNamedLike(role) };
  const found = usePages(
    [...key, 'members', words, role],
    (page, signal) => api.member.search.query({ ...page, ...ofRole, username: words }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <QueryView answer={found} isPart>
      {(rows) => (
        <div aria-busy={found.isPlaceholderData}>
          {rows.length === 0 ? (
            <div className="flex flex-wrap items-center justify-between gap-3 p-3">
              <p role="status" className="text-quiet">
                {t(words === '' ? 'team.noneInRole' : 'team.noneMatch')}
              </p>
              {role === undefined ? null : <Button onClick={onClear}>{t('team.clear')}</Button>}
            </div>
          ) : (
            <p role="status" className="sr-only">
              {t(found.hasNextPage ? 'team.countMany' : 'team.count', { count: rows.length })}
            </p>
          )}
          {listed(rows, found)}
        </div>
      )}
    </QueryView>
  );
}
