import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { proven } from '@gatehouse/ui/session/proven';
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
  const sending = useSending();
  const { id: memberId } = member;
  return (
    <Confirm
      title={t('promote.title', { name: shownName(member) })}
      effect={t('promote.effect')}
      action={t('promote.open')}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        await proven(() => gatehouse.api.personnel.promote.mutate({ memberId }, { signal }));
        void queries.invalidateQueries({ queryKey: memberKey(memberId) });
        void queries.invalidateQueries({ queryKey: ['staff'] });
        await navigate({ to: '/staff/$personnelId', params: { personnelId: String(memberId) } });
      }}
      onClose={onClose}
    />
  );
}
