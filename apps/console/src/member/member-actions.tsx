import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import { t } from '../words.js';
import { ImpersonateDialog } from './impersonate-dialog.js';
import { type MemberAction, type MemberPage, memberKey } from './member-page.js';
import { RecoveryActions } from './recovery-actions.js';

/** Asks for the reason of a ban, and says what it does. */
function BanDialog({
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

/** Ends every session of a member. */
function EndSessionsDialog({
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

/** Makes a member staff, and opens the screen of their grants. */
function PromoteDialog({
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

/** The actions that change the status of a member, without those that the service would refuse. */
export function Actions({
  page,
  onNotice,
}: {
  readonly page: MemberPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { member, status, ban, lockedOut, lockedUntil, counts } = page;
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState();
  const [asks, setAsks] = useState<'ban' | 'end' | 'promote' | 'impersonate'>();
  const { id: memberId, email } = member;
  const isSelf = memberId === me.member.id;
  const isDeleting = status === 'deleting';
  const isLocked = lockedOut || lockedUntil !== null;
  const may = (action: MemberAction) => page.actions.includes(action);

  /** Does something about the member, and says so. */
  function act(work: (signal: AbortSignal) => Promise<unknown>, notice: string): void {
    onNotice(undefined);
    mutation.send(async (signal) => {
      await withReauth(() => work(signal));
      await queries.invalidateQueries({ queryKey: memberKey(memberId) });
      onNotice(notice);
    });
  }

  const done = (notice: string) => {
    setAsks(undefined);
    onNotice(notice);
  };
  const { api } = gatehouse;
  return (
    <>
      {ban !== null && may('unban') ? (
        <Button
          kind={isDeleting ? 'plain' : 'primary'}
          isBusy={mutation.isBusy}
          onClick={() =>
            act(
              (signal) => api.member.unban.mutate({ memberId }, { signal }),
              t(isDeleting ? 'unban.doneDeleted' : 'unban.done'),
            )
          }
        >
          {t('unban.open')}
        </Button>
      ) : null}
      {isLocked && may('unlock') ? (
        <Button
          kind="primary"
          isBusy={mutation.isBusy}
          onClick={() =>
            act((signal) => api.member.unlock.mutate({ memberId }, { signal }), t('unlock.done'))
          }
        >
          {t('unlock.open')}
        </Button>
      ) : null}
      {email !== null && !member.emailVerified && may('sendConfirmation') ? (
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            act(
              (signal) => api.member.sendConfirmation.mutate({ memberId }, { signal }),
              t('confirmation.done', { email }),
            )
          }
        >
          {t('confirmation.open')}
        </Button>
      ) : null}
      {email !== null && may('sendReset') ? (
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            act((signal) => api.member.sendReset.mutate({ memberId }, { signal }), t('reset.done', { email }))
          }
        >
          {t('reset.open')}
        </Button>
      ) : null}
      <RecoveryActions page={page} onNotice={onNotice} />
      {may('changeName') ? (
        <Button
          onClick={() =>
            void navigate({ to: '/members/$memberId/edit', params: { memberId: String(memberId) } })
          }
        >
          {t('edit.open')}
        </Button>
      ) : null}
      {may('impersonate') ? <Button onClick={() => setAsks('impersonate')}>{t('actAs.open')}</Button> : null}
      {!member.isPersonnel && may('promote') ? (
        <Button onClick={() => setAsks('promote')}>{t('promote.open')}</Button>
      ) : null}
      {counts.sessions > 0 && !isSelf && may('endSessions') ? (
        <Button kind="grave" onClick={() => setAsks('end')}>
          {t('end.open')}
        </Button>
      ) : null}
      {ban === null && !isSelf && may('ban') ? (
        <Button kind="grave" onClick={() => setAsks('ban')}>
          {t('ban.open')}
        </Button>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {asks === 'ban' ? <BanDialog page={page} onDone={done} onClose={() => setAsks(undefined)} /> : null}
      {asks === 'impersonate' ? <ImpersonateDialog page={page} onClose={() => setAsks(undefined)} /> : null}
      {asks === 'promote' ? <PromoteDialog page={page} onClose={() => setAsks(undefined)} /> : null}
      {asks === 'end' ? (
        <EndSessionsDialog page={page} onDone={done} onClose={() => setAsks(undefined)} />
      ) : null}
    </>
  );
}
