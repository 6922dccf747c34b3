import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { type MemberPage, memberKey } from './member-page.js';

/** Starts the recovery of a member who lost every second factor. Only staff of role 0 may do so. */
export function RecoveryDialog({
  page: { member },
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
  return (
    <Confirm
      title={t('recovery.title', { name: shownName(member) })}
      effect={t('recovery.effect')}
      action={t('recovery.submit')}
      mutation={mutation}
      onConfirm={async ({ reason = '' }, signal) => {
        const { data } = await withReauth(() =>
          gatehouse.api.recovery.open.mutate({ memberId, reason: reason.trim() }, { signal }),
        );
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        const time = shownTime(data.effectiveAt);
        onDone(t(data.needsApproval ? 'recovery.openedApproval' : 'recovery.opened', { time }));
      }}
      onClose={onClose}
    >
      <TextField
        name="reason"
        label={t('recovery.reason')}
        hint={t('recovery.reasonHint')}
        autoComplete="off"
        minLength={10}
        maxLength={500}
        required
      />
    </Confirm>
  );
}
