import { ROLES } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { More, RowAction } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { RemoveDialog, RoleDialog } from './change-member-dialogs.js';
import type { RoleRules } from './team-roles.js';
import { nameOf, type TeamMember } from './team-roles.js';

/** Makes another member the primary owner. */
function TransferDialog({
  member,
  onNotice,
  onClose,
}: {
  readonly member: TeamMember;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { api, key, accountName } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  const name = nameOf(member);
  return (
    <Confirm
      title={t('transfer.title', { name, account: accountName })}
      effect={t('transfer.effect', { name })}
      action={t('transfer.submit')}
      typed={{ label: t('transfer.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.account.transferOwnership.mutate({ memberId: member.id }, { signal }));
          },
          async () =>
            (await api.member.detail.query({ userId: member.id }, { signal })).data.isPrimaryOwner === true,
        );
        await Promise.all([
          queries.invalidateQueries({ queryKey: key }),
          queries.invalidateQueries({ queryKey: ['you'] }),
        ]);
        onNotice(t('transfer.done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

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
function statusOf({ emailVerified, isPrimaryOwner, accountRole }: TeamMember): {
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
  const { tone, words } = statusOf(member);
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
