import { ROLES } from '@gatehouse/client-sdk';
import { More } from '@gatehouse/ui/list/more';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/status-icon';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { RemoveDialog } from './remove-dialog.js';
import { RoleDialog } from './role-dialog.js';
import type { RoleRules } from './roles.js';
import { nameOf, type TeamMember } from './team-member.js';
import { TransferDialog } from './transfer-dialog.js';

type Asking = 'role' | 'remove' | 'transfer';

/** The members of the account, with what may be done about each of them. */
export function Members({
  rows,
  pages,
  roles,
  isPrimaryOwner,
  onNotice,
}: {
  readonly rows: readonly TeamMember[];
  readonly pages: ComponentProps<typeof More>['of'];
  readonly roles: RoleRules | undefined;
  /** Whether it is the primary owner who looks. */
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

  return (
    <Card title={t('team.members')}>
      <ul>
        {rows.map((member) => (
          <Row
            key={member.id}
            member={member}
            isSelf={member.id === me.member.id}
            actions={actionsOf(member)}
            onAsk={(what) => setAsked({ about: member, what })}
          />
        ))}
      </ul>
      <More of={pages} />
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

const ACTIONS = { role: 'role.open', transfer: 'transfer.open', remove: 'remove.open' } as const;

/** Whether somebody can come in, and why not. */
function standingOf({ emailVerified, isPrimaryOwner, accountRole }: TeamMember): {
  readonly tone: StatusTone;
  readonly words: string | undefined;
} {
  if (accountRole === ROLES.archived) return { tone: 'error', words: t('team.noAccess') };
  if (!emailVerified) return { tone: 'pending', words: t('team.unconfirmed') };
  return { tone: 'ok', words: isPrimaryOwner === true ? t('team.primaryOwner') : undefined };
}

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
  const name = nameOf(member);
  const { tone, words } = standingOf(member);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[1rem_minmax(0,1fr)_10rem_16rem]">
      <span className="pt-0.5">
        <StatusIcon tone={tone} />
      </span>
      <div className="min-w-0">
        <p>
          <bdi className="font-semibold">{name}</bdi>
          {isSelf ? <span className="text-quiet"> {t('team.self')}</span> : null}
        </p>
        {member.email === null ? null : <bdi className="block text-quiet">{shownAddress(member.email)}</bdi>}
        {words === undefined ? null : <p className="text-note text-quiet">{words}</p>}
      </div>
      <bdi className="col-start-2 text-quiet rows:col-start-3">{member.accountRoleLabel}</bdi>
      {actions.length === 0 ? null : (
        <div className="col-start-2 flex flex-wrap gap-x-3 rows:col-start-4 rows:justify-end rows:gap-x-4">
          {actions.map((what) => (
            <RowAction key={what} about={name} isGrave={what === 'remove'} onClick={() => onAsk(what)}>
              {t(ACTIONS[what])}
            </RowAction>
          ))}
        </div>
      )}
    </li>
  );
}
