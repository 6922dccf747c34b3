import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { accountKey, type Invitation } from './account-page.js';
import { t } from './words.js';

/** Takes an invitation back. Repeating it changes nothing. */
export function RevokeDialog({
  accountId,
  invitation: { id: invitationId, email },
  onNotice,
  onClose,
}: {
  readonly accountId: number;
  readonly invitation: Invitation;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('revoke.title', { email })}
      effect={t('revoke.effect')}
      action={t('revoke.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const { api } = gatehouse.withAccount(accountId);
        await api.invitation.revoke.mutate({ invitationId }, { signal });
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        onNotice(t('revoke.done', { email }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
