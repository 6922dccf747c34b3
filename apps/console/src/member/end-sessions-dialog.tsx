import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import { type MemberPage, memberKey } from './member-page.js';

/** Ends every session of a member. */
export function EndSessionsDialog({
  page: { member, counts },
  onDone,
  onClose,
}: {
  readonly page: MemberPage;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending();
  const { id: memberId } = member;
  return (
    <Confirm
      title={t('end.title', { name: shownName(member) })}
      effect={t('end.effect', { count: counts.sessions })}
      action={t('end.submit')}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        await proven(() => gatehouse.api.session.endFor.mutate({ memberId }, { signal }));
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        onDone(t('end.done'));
      }}
      onClose={onClose}
    />
  );
}
