import { ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { t } from '../words.js';
import type { MemberPage } from './member-page.js';

const MINUTES = [15, 30, 60] as const;

/** Opens the portal as a member, for some minutes and with a reason. Its End leads back to this page. */
export function ImpersonateDialog({
  page: { member, memberships },
  onClose,
}: {
  readonly page: MemberPage;
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('reason', 'minutes', 'accountId', 'write');
  const isRoot = useMe().member.role_type === ROLES.admin;
  const open = memberships.filter(({ active, accountState }) => active && accountState === 'live');
  const name = shownName(member);
  return (
    <Confirm
      title={t('actAs.title', { name })}
      effect={t('actAs.effect')}
      action={t('actAs.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ reason = '', minutes = '', accountId = '', write = '' }, signal) => {
        const { url } = await withReauth(() =>
          gatehouse.api.impersonation.start.mutate(
            {
              memberId: member.id,
              reason: reason.trim(),
              minutes: Number(minutes),
              ...(accountId === '' ? {} : { accountId: Number(accountId) }),
              ...(write === 'write' ? { write: true } : {}),
            },
            { signal },
          ),
        );
        if (url === null) mutation.fail({ message: t('actAs.noPortal'), issues: [], mayRetry: false });
        else await leaveTo(url);
      }}
      onClose={onClose}
    >
      <TextField
        name="reason"
        label={t('list.reason')}
        hint={t('actAs.reasonHint')}
        autoComplete="off"
        minLength={10}
        maxLength={500}
        required
      />
      <SelectField
        name="minutes"
        label={t('actAs.minutes')}
        defaultValue="30"
        choices={MINUTES.map((count) => ({ value: String(count), label: t('actAs.minutesOf', { count }) }))}
      />
      <SelectField
        name="accountId"
        label={t('members.account')}
        choices={[
          ...(isRoot ? [{ value: '', label: t('actAs.allAccounts') }] : []),
          ...open.map((place) => ({ value: String(place.accountId), label: place.accountName })),
        ]}
      />
      {isRoot ? (
        <SelectField
          name="write"
          label={t('actAs.access')}
          choices={[
            { value: 'read', label: t('actAs.read') },
            { value: 'write', label: t('actAs.write') },
          ]}
        />
      ) : null}
    </Confirm>
  );
}
