import { ROLES } from '@gatehouse/client-sdk/admin';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/status-icon';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { shownName } from '../session/shown-name.js';
import { LINK } from '../shell/link-look.js';
import type { AccountPage, PlacedMember } from './account-page.js';
import { RemoveDialog } from './remove-dialog.js';
import { RoleDialog } from './role-dialog.js';
import { PERSON_ACTIONS, PERSON_ROW } from './row-look.js';
import { TransferDialog } from './transfer-dialog.js';
import { t } from './words.js';

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
  const { tone, words } = standingOf(member);
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
function standingOf({ emailVerified, isPrimaryOwner, accountRole }: PlacedMember): {
  readonly tone: StatusTone;
  readonly words: string | undefined;
} {
  if (accountRole === ROLES.archived) return { tone: 'error', words: t('people.noAccess') };
  if (!emailVerified) return { tone: 'pending', words: t('people.unconfirmed') };
  return { tone: 'ok', words: isPrimaryOwner === true ? t('account.primaryOwner') : undefined };
}
