import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Button } from '@gatehouse/ui/parts/button';
import { Menu } from '@gatehouse/ui/parts/menu';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { RestoreDialog } from '../deletion/restore-dialog.js';
import { t } from '../deletion/words.js';
import { t as ofConsole } from '../words.js';
import { type AccountPage, accountKey } from './account-page.js';

/** Deletes an account, once its name is typed. */
function DeleteDialog({
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
      action={t('deleteAccount.open')}
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

/** Rare actions of staff on an account: restore and delete it. */
export function SeldomActions({
  page,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const [asks, setAsks] = useState<'restore' | 'delete'>();
  const { account, actions, state } = page;
  const close = () => setAsks(undefined);
  const done = (notice: string) => {
    close();
    onNotice(notice);
  };
  return (
    <>
      {state !== 'live' && actions.includes('restore') ? (
        <Button kind="primary" onClick={() => setAsks('restore')}>
          {t('restore.open')}
        </Button>
      ) : null}
      {actions.includes('remove') ? (
        <Menu
          label={ofConsole('more.open')}
          items={[{ words: t('deleteAccount.open'), isGrave: true, onClick: () => setAsks('delete') }]}
        />
      ) : null}
      {asks === 'restore' ? (
        <RestoreDialog of={{ accountId: account.id, name: account.name }} onDone={done} onClose={close} />
      ) : null}
      {asks === 'delete' ? <DeleteDialog page={page} onDone={done} onClose={close} /> : null}
    </>
  );
}
