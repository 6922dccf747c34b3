import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
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
  const mutation = useMutationState();
  const { id: memberId } = member;
  return (
    <Confirm
      title={t('end.title', { name: shownName(member) })}
      effect={t('end.effect', { count: counts.sessions })}
      action={t('end.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => gatehouse.api.session.endFor.mutate({ memberId }, { signal }));
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        onDone(t('end.done'));
      }}
      onClose={onClose}
    />
  );
}
