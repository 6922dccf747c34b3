import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from '../deletion/reason-field.js';
import { shownName } from '../session/shown-name.js';
import { type AccountPage, accountKey, type PlacedMember } from './account-page.js';
import { t } from './words.js';

/** Makes a member the primary owner of an account. */
export function TransferDialog({
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
