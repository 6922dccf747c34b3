import { type CollectedExport, withPage } from '@gatehouse/ui/export/collected-export';
import { saveFile } from '@gatehouse/ui/export/save-file';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type ReactElement, useRef } from 'react';
import { gatehouse } from '../client.js';
import { ReasonField } from '../deletion/reason-field.js';
import { t } from '../deletion/words.js';
import { shownName } from '../session/shown-name.js';
import type { MemberPage } from './member-page.js';

/** Saves everything that is held of a member as a file. A broken one goes on where it stopped. */
export function ExportDialog({
  page: { member },
  onDone,
  onClose,
}: {
  readonly page: MemberPage;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('reason');
  const collected = useRef<CollectedExport>(undefined);
  const { id: memberId } = member;
  const name = shownName(member);

  async function collect(reason: string, signal: AbortSignal): Promise<void> {
    let cursor = collected.current?.nextCursor;
    do {
      const from = { memberId, reason, ...(cursor === undefined ? {} : { cursor }) };
      const page = await withReauth(() => gatehouse.api.member.export.query(from, { signal }));
      collected.current = withPage(collected.current, page);
      cursor = collected.current.nextCursor;
    } while (cursor !== null);
  }

  return (
    <Confirm
      title={t('export.title', { name })}
      effect={t('export.effect')}
      action={t('export.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ reason = '' }, signal) => {
        await collect(reason.trim(), signal);
        const file = `member-${memberId}-${new Date().toISOString().slice(0, 10)}.json`;
        saveFile(file, JSON.stringify(collected.current?.data, null, 2), 'application/json');
        onDone(t('export.done', { file }));
      }}
      onClose={onClose}
    >
      <ReasonField />
    </Confirm>
  );
}
