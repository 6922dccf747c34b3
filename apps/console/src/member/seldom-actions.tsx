import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { RestoreDialog } from '../deletion/restore-dialog.js';
import { t } from '../deletion/words.js';
import { useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { MoreActions } from '../shell/more-actions.js';
import { DeleteDialog } from './delete-dialog.js';
import { ExportDialog } from './export-dialog.js';
import type { MemberPage } from './member-page.js';

/** What staff of role 0 do about a member now and then: bring back, export, delete. */
export function SeldomActions({
  page,
  onNotice,
}: {
  readonly page: MemberPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement | null {
  const me = useMe();
  const [asks, setAsks] = useState<'restore' | 'export' | 'delete'>();
  if (!me.allAccounts) return null;
  const { member, status, restorableUntil } = page;
  const isThere = status === 'live' || status === 'banned';
  const close = () => setAsks(undefined);
  const done = (notice: string) => {
    close();
    onNotice(notice);
  };
  return (
    <>
      {restorableUntil === null ? null : (
        <Button kind="primary" onClick={() => setAsks('restore')}>
          {t('restore.open')}
        </Button>
      )}
      {isThere || restorableUntil !== null ? (
        <MoreActions>
          <Button onClick={() => setAsks('export')}>{t('export.open')}</Button>
          {isThere && member.id !== me.member.id ? (
            <Button kind="grave" onClick={() => setAsks('delete')}>
              {t('deleteMember.open')}
            </Button>
          ) : null}
        </MoreActions>
      ) : null}
      {asks === 'restore' ? (
        <RestoreDialog of={{ memberId: member.id, name: shownName(member) }} onDone={done} onClose={close} />
      ) : null}
      {asks === 'export' ? <ExportDialog page={page} onDone={done} onClose={close} /> : null}
      {asks === 'delete' ? <DeleteDialog page={page} onDone={done} onClose={close} /> : null}
    </>
  );
}
