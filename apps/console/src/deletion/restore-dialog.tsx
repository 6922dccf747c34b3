import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from './reason-field.js';
import { t } from './words.js';

/** What is restored. */
type Restored =
  | { readonly memberId: number; readonly name: string }
  | { readonly accountId: number; readonly name: string };

/** Brings a member or an account back, for a reason that the audit log keeps. */
export function RestoreDialog({
  of,
  onDone,
  onClose,
}: {
  readonly of: Restored;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('reason');
  const { api } = gatehouse;
  const { name } = of;
  return (
    <Confirm
      title={t('restore.title', { name })}
      effect={t('memberId' in of ? 'restore.effectMember' : 'restore.effectAccount')}
      action={t('restore.open')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const reason = (fields['reason'] ?? '').trim();
        await withReauth(async () => {
          if ('memberId' in of)
            await api.member.restore.mutate({ memberId: of.memberId, reason }, { signal });
          else await api.account.restore.mutate({ accountId: of.accountId, reason }, { signal });
        });
        await Promise.all(
          [['member'], ['members'], ['account'], ['accounts']].map((queryKey) =>
            queries.invalidateQueries({ queryKey }),
          ),
        );
        onDone(t('restore.done', { name }));
      }}
      onClose={onClose}
    >
      <ReasonField />
    </Confirm>
  );
}
