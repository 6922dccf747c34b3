import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { type MemberPage, memberKey } from './member-page.js';

/** For a member who lost every second factor. Staff of role 0 alone let them back in. */
export function RecoveryActions({
  page: { member, actions, recovery, factors },
  onNotice,
}: {
  readonly page: MemberPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement | null {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [isOpening, setOpening] = useState(false);
  const { id: memberId } = member;

  function act(work: (signal: AbortSignal) => Promise<unknown>, notice: string): void {
    onNotice(undefined);
    mutation.send(async (signal) => {
      await withReauth(() => work(signal));
      await queries.invalidateQueries({ queryKey: memberKey(memberId) });
      onNotice(notice);
    });
  }

  const { api } = gatehouse;
  const failure =
    mutation.failure === undefined ? null : (
      <div className="w-full">
        <FailureNote failure={mutation.failure} />
      </div>
    );
  if (recovery === null) {
    const isThereOne = factors.secondFactor || factors.totpAddedAt !== null || factors.passkeys > 0;
    if (!isThereOne || !actions.includes('openRecovery')) return null;
    return (
      <>
        <Button onClick={() => setOpening(true)}>{t('recovery.open')}</Button>
        {isOpening ? (
          <OpenDialog
            member={member}
            onDone={(notice) => {
              setOpening(false);
              onNotice(notice);
            }}
            onClose={() => setOpening(false)}
          />
        ) : null}
      </>
    );
  }
  if (!actions.includes('cancelRecovery')) return null;
  const { id: recoveryId, needsApproval, approvedAt } = recovery;
  return (
    <>
      {needsApproval && approvedAt === null && actions.includes('approveRecovery') ? (
        <Button
          kind="primary"
          isBusy={mutation.isBusy}
          onClick={() =>
            act((signal) => api.recovery.approve.mutate({ recoveryId }, { signal }), t('recovery.approved'))
          }
        >
          {t('recovery.approve')}
        </Button>
      ) : null}
      <Button
        isBusy={mutation.isBusy}
        onClick={() =>
          act((signal) => api.recovery.cancel.mutate({ recoveryId }, { signal }), t('recovery.canceled'))
        }
      >
        {t('recovery.cancel')}
      </Button>
      {failure}
    </>
  );
}

function OpenDialog({
  member,
  onDone,
  onClose,
}: {
  readonly member: MemberPage['member'];
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
