import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { shownName } from '../session/shown-name.js';
import { type AccountPage, accountKey, type PlacedMember } from './account-page.js';
import { t } from './words.js';

/** Removes a member from an account. */
export function RemoveDialog({
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
