import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { RestoreDialog } from '../deletion/restore-dialog.js';
import { t } from '../deletion/words.js';
import { useMe } from '../session/me.js';
import { MoreActions } from '../shell/more-actions.js';
import type { AccountPage } from './account-page.js';
import { DeleteDialog } from './delete-dialog.js';

/** What staff of role 0 do about an account now and then: bring back, delete. */
export function SeldomActions({
  page,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement | null {
  const me = useMe();
  const [asks, setAsks] = useState<'restore' | 'delete'>();
  if (!me.allAccounts) return null;
  const { account, state, erasedAt, owner } = page;
  // One whose owner is deleted comes back with them.
  const isRestorable =
    state === 'closed' &&
    erasedAt !== null &&
    Date.parse(erasedAt) > Date.now() &&
    owner?.isDeleted === false;
  const close = () => setAsks(undefined);
  const done = (notice: string) => {
    close();
    onNotice(notice);
  };
  return (
    <>
      {isRestorable ? (
        <Button kind="primary" onClick={() => setAsks('restore')}>
          {t('restore.open')}
        </Button>
      ) : null}
      {state === 'live' ? (
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
