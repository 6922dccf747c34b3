import { ROLES } from '@gatehouse/client-sdk';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Initials } from '@gatehouse/ui/parts/initials';
import { Menu, type MenuItem } from '@gatehouse/ui/parts/menu';
import { Ago } from '@gatehouse/ui/screen/ago';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { ariaSort, type Order, SortButton } from '@gatehouse/ui/table/sort-button';
import { roleName } from '@gatehouse/ui/team/role-name';
import { memberStatus } from '@gatehouse/ui/team/team-row';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { t } from '../words.js';
import type { TeamMember } from './team-roles.js';

const COLUMNS = ['name', 'role', 'joined'] as const;

type Column = (typeof COLUMNS)[number];

const TITLES = { name: 'team.name', role: 'team.role', joined: 'team.joined' } as const;

/** On a phone the cell of the person also has the role, and the day of joining is not shown. */
const WIDE_ONLY = 'hidden rows:table-cell';

const WIDTHS: Readonly<Record<Column, string>> = {
  name: '',
  role: `${WIDE_ONLY} w-40`,
  joined: `${WIDE_ONLY} w-40`,
};

/** What a member is in the account: the owner, or their role. */
function roleOfMember({ isPrimaryOwner, accountRoleLabel }: TeamMember): string {
  if (isPrimaryOwner === true) return ofTeams('team.primaryOwner');
  return accountRoleLabel === null ? '' : roleName(accountRoleLabel);
}

const KEYS: Readonly<Record<Column, (member: TeamMember) => string>> = {
  name: shownName,
  role: roleOfMember,
  joined: ({ joinedAt }) => joinedAt ?? '',
};

const ordersOf = (column: Column): readonly [Order, Order] => [
  { name: column, isDescending: false },
  { name: `-${column}`, isDescending: true },
];

function sorted(rows: readonly TeamMember[], order: string): TeamMember[] {
  const { compare } = new Intl.Collator(catalogue.locale);
  const column = COLUMNS.find((each) => order.endsWith(each)) ?? 'name';
  const direction = order.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => direction * compare(KEYS[column](one), KEYS[column](other)));
}

/** Members, each with what may be done about them. */
export function MembersTable({
  rows,
  isWhole,
  actionsOf,
}: {
  readonly rows: readonly TeamMember[];
  /** Whether these are all of them, so that they can be sorted here. */
  readonly isWhole: boolean;
  readonly actionsOf: (member: TeamMember) => readonly MenuItem[];
}): ReactElement {
  const [order, setOrder] = useState<string>();
  const sorting = { order, onChange: setOrder };
  return (
    <table className="w-full table-fixed">
      <thead>
        <tr className="border-b border-line">
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              {...(isWhole ? ariaSort(ordersOf(column), sorting) : {})}
              className={`px-3 py-2 text-start text-note font-normal text-quiet ${WIDTHS[column]}`}
            >
              {isWhole ? (
                <SortButton title={t(TITLES[column])} orders={ordersOf(column)} sorting={sorting} />
              ) : (
                t(TITLES[column])
              )}
            </th>
          ))}
          <th scope="col" className="w-16">
            <span className="sr-only">{t('team.menus')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {(isWhole && order !== undefined ? sorted(rows, order) : rows).map((member) => (
          <Row key={member.id} member={member} actions={actionsOf(member)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  member,
  actions,
}: {
  readonly member: TeamMember;
  readonly actions: readonly MenuItem[];
}): ReactElement {
  const { accountRole, email, emailVerified, isPrimaryOwner, joinedAt } = member;
  const me = useMe();
  const name = shownName(member);
  const role = roleOfMember(member);
  const hasAccess = accountRole !== ROLES.archived && member.role_type !== ROLES.archived;
  const { tone, words } = memberStatus({ hasAccess, emailVerified, isPrimaryOwner });
  return (
    <tr className="border-b border-line align-top last:border-0">
      <td className="px-3 py-2.5">
        <div className="flex items-start gap-3">
          <Initials of={name} />
          <div className="min-w-0 wrap-anywhere">
            <p>
              <bdi className="font-semibold">{name}</bdi>
              {member.id === me.member.id ? <span className="text-quiet"> {t('team.self')}</span> : null}
            </p>
            {email === null ? null : <bdi className="block text-quiet">{shownAddress(email)}</bdi>}
            {tone === 'ok' ? null : (
              <p className="pt-1">
                <Badge tone={tone} {...(hasAccess ? {} : { shape: 'ban' })}>
                  {words}
                </Badge>
              </p>
            )}
            <p className="text-quiet empty:hidden rows:hidden">{role}</p>
          </div>
        </div>
      </td>
      <td className={`px-3 py-2.5 wrap-anywhere ${WIDE_ONLY}`}>
        <bdi>{role}</bdi>
      </td>
      <td className={`px-3 py-2.5 text-quiet ${WIDE_ONLY}`}>
        {joinedAt === null ? null : <Ago at={joinedAt} />}
      </td>
      <td className="px-3 py-2.5">
        {actions.length === 0 ? null : (
          <div className="flex justify-end">
            <Menu isRow label={ofTeams('team.actions', { name })} about={name} items={actions} />
          </div>
        )}
      </td>
    </tr>
  );
}
