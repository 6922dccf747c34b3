import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { type NamedMember, nameOf } from './team-member.js';

/** Removes a member from the account. */
export function RemoveDialog({
  member,
  effect,
  onNotice,
  onClose,
}: {
  readonly member: NamedMember;
  /** What the removal does, for a member who has no access now. */
  readonly effect?: string;
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
      title={t('remove.title', { name })}
      effect={effect ?? t('remove.effect', { account: accountName })}
      action={t('remove.submit')}
      typed={{ label: t('remove.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await api.membership.remove.mutate({ memberId: member.id }, { signal });
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: key });
        onNotice(t('remove.done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
