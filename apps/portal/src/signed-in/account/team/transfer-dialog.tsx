import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { nameOf, type TeamMember } from './team-member.js';

/** Makes another member the primary owner. */
export function TransferDialog({
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
