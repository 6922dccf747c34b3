import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { RemoveDialog, RoleDialog, TransferDialog } from './change-member-dialogs.js';
import { MembersTable } from './members-table.js';
import type { RoleRules, TeamMember } from './team-roles.js';

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

  const { q = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
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
      {q !== '' || pages.hasNextPage || rows.length > 1 ? (
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
