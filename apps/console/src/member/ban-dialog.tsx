import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import { type MemberPage, memberKey } from './member-page.js';

/** Asks for the reason of a ban, and says what it does. */
export function BanDialog({
  page: { member, status, counts },
  onDone,
  onClose,
}: {
  readonly page: MemberPage;
  readonly onDone: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('reason');
  const { id: memberId } = member;
  const name = shownName(member);
  return (
    <Confirm
      title={t('ban.title', { name })}
      effect={status === 'deleting' ? t('ban.effectDeleted') : t('ban.effect', { count: counts.sessions })}
      action={t('ban.submit')}
      mutation={mutation}
      onConfirm={async ({ reason = '' }, signal) => {
        await withReauth(() =>
          gatehouse.api.member.ban.mutate({ memberId, reason: reason.trim() }, { signal }),
        );
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        void queries.invalidateQueries({ queryKey: ['members'] });
        onDone(t('ban.done', { name }));
      }}
      onClose={onClose}
    >
      <TextField
        name="reason"
        label={t('ban.reason')}
        hint={t('ban.reasonHint')}
        autoComplete="off"
        required
      />
    </Confirm>
  );
}
