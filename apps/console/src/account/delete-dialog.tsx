import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../deletion/words.js';
import { type AccountPage, accountKey } from './account-page.js';

/** Deletes an account, once its name is typed. */
export function DeleteDialog({
  page: { account, actions, counts },
  onDone,
  onClose,
}: {
  readonly page: AccountPage;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  const { id: accountId, name } = account;
  // The trial of an account that pays a provider cannot be extended.
  const isPaid = !actions.includes('extendTrial');
  return (
    <Confirm
      title={t('deleteAccount.title', { account: name })}
      effect={t(isPaid ? 'deleteAccount.effectPaid' : 'deleteAccount.effect', {
        count: counts.members,
      })}
      action={t('deleteAccount.submit')}
      typed={{ label: t('deleteAccount.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () =>
            void (await withReauth(() => gatehouse.api.account.remove.mutate({ accountId }, { signal }))),
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: accountKey(accountId) });
        for (const queryKey of [['accounts'], ['member']]) void queries.invalidateQueries({ queryKey });
        onDone(t('deleteAccount.done', { account: name }));
      }}
      onClose={onClose}
    />
  );
}
