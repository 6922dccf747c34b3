import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { RestoreDialog } from '../deletion/restore-dialog.js';
import { t } from '../deletion/words.js';
import { shownName } from '../session/shown-name.js';
import { MoreActions } from '../shell/more-actions.js';
import { DeleteDialog } from './delete-dialog.js';
import { ExportDialog } from './export-dialog.js';
import type { MemberPage } from './member-page.js';

/** What staff of role 0 do about a member now and then: bring back, export, delete, prevent the return. */
export function SeldomActions({
  page,
  onNotice,
}: {
  readonly page: MemberPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement | null {
  const [asks, setAsks] = useState<'restore' | 'export' | 'delete'>();
  const { member, status, actions, restorableUntil } = page;
  const mayRestore = restorableUntil !== null && actions.includes('restore');
  const [mayExport, mayDelete] = [actions.includes('export'), actions.includes('remove')];
  const close = () => setAsks(undefined);
  const done = (notice: string) => {
    close();
    onNotice(notice);
  };
  return (
    <>
      {mayRestore ? (
        <Button kind="primary" onClick={() => setAsks('restore')}>
          {t('restore.open')}
        </Button>
      ) : null}
      {mayExport || mayDelete ? (
        <MoreActions>
          {mayExport ? <Button onClick={() => setAsks('export')}>{t('export.open')}</Button> : null}
          {mayDelete ? (
            <Button kind="grave" onClick={() => setAsks('delete')}>
              {t(status === 'deleting' ? 'preventReturn.open' : 'deleteMember.open')}
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
