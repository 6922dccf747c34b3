import { isGatehouseError, ROLES } from '@gatehouse/client-sdk/admin';
import { useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import type { Choice } from '@gatehouse/ui/form/select-field';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { RemoveDialog, RoleDialog, TransferDialog } from '@gatehouse/ui/team/member-dialogs';
import { roleName } from '@gatehouse/ui/team/role-name';
import { memberStatus, TeamRow } from '@gatehouse/ui/team/team-row';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from '../deletion/reason-field.js';
import { aboutRoleType, ROLE_NUMBERS, roleWords } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { t as ofConsole } from '../words.js';
import { type AccountPage, accountKey, type PlacedMember } from './account-page.js';
import { t } from './words.js';

const CUSTOM = 'custom ';

/**
 * The roles that staff give in an account, as choices: of the two roles named Admin, the owners' unless the other is held, and the
 * custom ones that they may give.
 */
export function givenRoles(page: AccountPage, held?: number | null): readonly Choice[] {
  const { givableRoles } = page;
  const hidden = held === ROLES.admin ? ROLES.owner : ROLES.admin;
  const builtIn = ROLE_NUMBERS.filter((number) => givableRoles.includes(number) && number !== hidden).map(
    (number) => ({ value: String(number), label: roleWords(number), about: aboutRoleType(number) }),
  );
  const custom = page.customRoles
    .filter(({ isGivable }) => isGivable)
    .map(({ id, name }) => ({ value: `${CUSTOM}${id}`, label: name }));
  return [...builtIn, ...custom];
}

/** A choice in the form that calls take. */
export function roleIn(choice: string): { roleType: number } | { customRoleId: number } {
  return choice.startsWith(CUSTOM)
    ? { customRoleId: Number(choice.slice(CUSTOM.length)) }
    : { roleType: Number(choice) };
}

const ACTIONS = [
  ['changeRole', 'role.open'],
  ['transferOwnership', 'transfer.open'],
  ['remove', 'remove.open'],
] as const;

type Asking = (typeof ACTIONS)[number][0];

/** A member of an account, and what may be done about them. The primary owner's place can only be transferred. */
export function PersonRow({
  page,
  member,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const [asks, setAsks] = useState<Asking>();
  const { accountRole, accountRoleLabel, actions, email, emailVerified, isPrimaryOwner } = member;
  const name = shownName(member);
  const hasAccess = accountRole !== ROLES.archived;
  const { tone, words } =
    member.role_type === ROLES.archived
      ? ({ tone: 'error', words: ofConsole('state.banned') } as const)
      : memberStatus({ hasAccess, emailVerified, isPrimaryOwner });
  return (
    <TeamRow
      tone={tone}
      about={name}
      lines={
        <>
          <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={LINK}>
            <bdi>{name}</bdi>
          </Link>
          <bdi className="block text-quiet">{email === null ? null : shownAddress(email)}</bdi>
          {words === undefined ? null : <p className="text-note text-quiet">{words}</p>}
        </>
      }
      role={accountRoleLabel === null ? null : roleName(accountRoleLabel)}
      actions={ACTIONS.filter(([action]) => actions.includes(action)).map(([action, id]) => ({
        words: ofTeams(id),
        isGrave: action === 'remove',
        onClick: () => setAsks(action),
      }))}
    >
      {asks === undefined ? null : (
        <Dialog
          asks={asks}
          page={page}
          member={member}
          onNotice={onNotice}
          onClose={() => setAsks(undefined)}
        />
      )}
    </TeamRow>
  );
}

function Dialog({
  asks,
  page,
  member,
  ...closes
}: {
  readonly asks: Asking;
  readonly page: AccountPage;
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const once = useOnce();
  const { id: accountId, name: account } = page.account;
  const name = shownName(member);
  const place = { accountId, memberId: member.id };
  async function refresh(): Promise<void> {
    await queries.invalidateQueries({ queryKey: accountKey(accountId) });
    void queries.invalidateQueries({ queryKey: ['member'] });
  }
  if (asks === 'remove')
    return (
      <RemoveDialog
        name={name}
        effect={t('remove.effect', { account })}
        onRemove={async (signal) => {
          await once(
            async () =>
              void (await withReauth(() => gatehouse.api.membership.remove.mutate(place, { signal }))),
            (refusal) => isGatehouseError(refusal, 'not_found'),
          );
          await refresh();
        }}
        {...closes}
      />
    );
  if (asks === 'transferOwnership')
    return (
      <TransferDialog
        name={name}
        account={account}
        effect={t('transfer.effect', { name })}
        onTransfer={async ({ reason = '' }, signal) => {
          const wanted = { ...place, reason: reason.trim() };
          await withReauth(() => gatehouse.api.account.transferOwnership.mutate(wanted, { signal }));
          await refresh();
        }}
        {...closes}
      >
        <ReasonField />
      </TransferDialog>
    );
  const { accountRole, accountRoleLabel, customRoleId } = member;
  const given = givenRoles(page, accountRole);
  const builtIn = accountRole === ROLES.archived ? ROLES.userMember : accountRole;
  const held = customRoleId === null ? String(builtIn) : `${CUSTOM}${customRoleId}`;
  const isGiven = (role: string) => given.some(({ value }) => value === role);
  // A role that one may not give stays with the member unless another is chosen.
  const choices = isGiven(held)
    ? given
    : [{ value: held, label: roleName(accountRoleLabel ?? '') }, ...given];
  return (
    <RoleDialog
      name={name}
      effect={t('role.effect', { account })}
      choices={choices}
      defaultRole={held}
      onSave={async (role, signal) => {
        if (!isGiven(role)) return roleName(accountRoleLabel ?? '');
        const wanted = { ...place, ...roleIn(role) };
        await withReauth(() => gatehouse.api.membership.save.mutate(wanted, { signal }));
        await refresh();
        return choices.find(({ value }) => value === role)?.label ?? '';
      }}
      {...closes}
    />
  );
}
