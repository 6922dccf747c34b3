import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { RestoreDialog } from '../deletion/restore-dialog.js';
import { t } from '../deletion/words.js';
import { MoreActions } from '../shell/more-actions.js';
import type { AccountPage } from './account-page.js';
import { DeleteDialog } from './delete-dialog.js';

/** What staff do about an account now and then: bring back, delete. */
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
        <MoreActions>
          <Button kind="grave" onClick={() => setAsks('delete')}>
            {t('deleteAccount.open')}
          </Button>
        </MoreActions>
      ) : null}
      {asks === 'restore' ? (
        <RestoreDialog of={{ accountId: account.id, name: account.name }} onDone={done} onClose={close} />
      ) : null}
      {asks === 'delete' ? <DeleteDialog page={page} onDone={done} onClose={close} /> : null}
    </>
  );
}
