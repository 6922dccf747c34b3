import { isGatehouseError, ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { type Choice, SelectField } from '@gatehouse/ui/form/select-field';
import { RowAction } from '@gatehouse/ui/list/paged-list';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from '../deletion/reason-field.js';
import { ROLE_NUMBERS, roleWords, shownName } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { type AccountPage, accountKey, type PlacedMember } from './account-page.js';
import { t } from './words.js';

/** Removes a member from an account. */
function RemoveDialog({
  account: { id: accountId, name: account },
  member,
  onNotice,
  onClose,
}: {
  readonly account: AccountPage['account'];
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  const name = shownName(member);
  return (
    <Confirm
      title={t('remove.title', { name })}
      effect={t('remove.effect', { account })}
      action={t('remove.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const place = { accountId, memberId: member.id };
        await once(
          async () =>
            void (await withReauth(() => gatehouse.api.membership.remove.mutate(place, { signal }))),
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        void queries.invalidateQueries({ queryKey: ['member', member.id] });
        onNotice(t('remove.done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The roles that staff give in an account, as choices. */
export function givenRoles({ givableRoles }: AccountPage): readonly Choice[] {
  return ROLE_NUMBERS.filter((number) => givableRoles.includes(number)).map((number) => ({
    value: String(number),
    label: roleWords(number),
  }));
}

/** Gives a member another role in an account. */
function RoleDialog({
  page,
  member,
  onNotice,
  onClose,
}: {
  readonly page: AccountPage;
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('role');
  const name = shownName(member);
  const { id: accountId, name: account } = page.account;
  const choices = givenRoles(page);
  const own = String(member.accountRole);
  return (
    <Confirm
      title={t('role.title', { name })}
      effect={t('role.effect', { account })}
      action={t('role.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ role = '' }, signal) => {
        const roleType = Number(role);
        const place = { accountId, memberId: member.id, roleType };
        await withReauth(() => gatehouse.api.membership.save.mutate(place, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        void queries.invalidateQueries({ queryKey: ['member', member.id] });
        onNotice(t('role.done', { name, role: roleWords(roleType) }));
        onClose();
      }}
      onClose={onClose}
    >
      <SelectField
        name="role"
        label={t('role.field')}
        choices={choices}
        defaultValue={choices.some(({ value }) => value === own) ? own : String(ROLES.userMember)}
      />
    </Confirm>
  );
}

/** How the rows of people and of invitations stand below each other. */
export const PERSON_ROW =
  'grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[1rem_minmax(0,1fr)_10rem_17rem] wide:grid-cols-[1rem_minmax(0,1fr)_10rem_19rem]';

export const PERSON_ACTIONS =
  'col-start-2 flex flex-wrap gap-x-3 rows:col-start-4 rows:justify-end rows:pt-0.5 rows:gap-x-4';

/** Makes a member the primary owner of an account. */
function TransferDialog({
  account: { id: accountId, name: account },
  member,
  onNotice,
  onClose,
}: {
  readonly account: AccountPage['account'];
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('reason');
  const name = shownName(member);
  return (
    <Confirm
      title={t('transfer.title', { account, name })}
      effect={t('transfer.effect', { name })}
      action={t('transfer.submit')}
      mutation={mutation}
      onConfirm={async ({ reason = '' }, signal) => {
        const wanted = { accountId, memberId: member.id, reason: reason.trim() };
        await withReauth(() => gatehouse.api.account.transferOwnership.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        void queries.invalidateQueries({ queryKey: ['member'] });
        onNotice(t('transfer.done', { name }));
        onClose();
      }}
      onClose={onClose}
    >
      <ReasonField />
    </Confirm>
  );
}

/** A member of an account, and what may be done about them. The primary owner's place moves by handing it over alone. */
export function PersonRow({
  page,
  member,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly member: PlacedMember;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const [asks, setAsks] = useState<'role' | 'remove' | 'transfer'>();
  const { account } = page;
  const { accountRoleLabel, actions } = member;
  const name = shownName(member);
  const { tone, words } = statusOf(member);
  const close = () => setAsks(undefined);
  return (
    <li className={PERSON_ROW}>
      <span className="pt-0.5">
        <StatusIcon tone={tone} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={LINK}>
          <bdi>{name}</bdi>
        </Link>
        <bdi className="block text-quiet">{member.email === null ? null : shownAddress(member.email)}</bdi>
        {words === undefined ? null : <p className="text-note text-quiet">{words}</p>}
      </div>
      <bdi className="col-start-2 text-quiet wrap-anywhere rows:col-start-3 rows:pt-0.5">
        {accountRoleLabel}
      </bdi>
      {actions.length === 0 ? null : (
        <div className={PERSON_ACTIONS}>
          {actions.includes('changeRole') ? (
            <RowAction about={name} onClick={() => setAsks('role')}>
              {t('role.open')}
            </RowAction>
          ) : null}
          {actions.includes('transferOwnership') ? (
            <RowAction about={name} onClick={() => setAsks('transfer')}>
              {t('transfer.open')}
            </RowAction>
          ) : null}
          {actions.includes('remove') ? (
            <RowAction about={name} isGrave onClick={() => setAsks('remove')}>
              {t('remove.open')}
            </RowAction>
          ) : null}
        </div>
      )}
      {asks === 'role' ? (
        <RoleDialog page={page} member={member} onNotice={onNotice} onClose={close} />
      ) : null}
      {asks === 'transfer' ? (
        <TransferDialog account={account} member={member} onNotice={onNotice} onClose={close} />
      ) : null}
      {asks === 'remove' ? (
        <RemoveDialog account={account} member={member} onNotice={onNotice} onClose={close} />
      ) : null}
    </li>
  );
}

/** Whether somebody can come in, and why not. */
function statusOf({ emailVerified, isPrimaryOwner, accountRole }: PlacedMember): {
  readonly tone: StatusTone;
  readonly words: string | undefined;
} {
  if (accountRole === ROLES.archived) return { tone: 'error', words: t('people.noAccess') };
  if (!emailVerified) return { tone: 'pending', words: t('people.unconfirmed') };
  return { tone: 'ok', words: isPrimaryOwner === true ? t('account.primaryOwner') : undefined };
}
