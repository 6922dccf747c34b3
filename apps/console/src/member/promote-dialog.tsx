import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import { type MemberPage, memberKey } from './member-page.js';

/** Makes a member staff, and goes on to what is granted to them. */
export function PromoteDialog({
  page: { member },
  onClose,
}: {
  readonly page: MemberPage;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState();
  const { id: memberId } = member;
  return (
    <Confirm
      title={t('promote.title', { name: shownName(member) })}
      effect={t('promote.effect')}
      action={t('promote.open')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => gatehouse.api.personnel.promote.mutate({ memberId }, { signal }));
        void queries.invalidateQueries({ queryKey: memberKey(memberId) });
        void queries.invalidateQueries({ queryKey: ['staff'] });
        await navigate({ to: '/staff/$personnelId', params: { personnelId: String(memberId) } });
      }}
      onClose={onClose}
    />
  );
}
