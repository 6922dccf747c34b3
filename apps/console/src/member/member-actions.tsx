import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Menu, type MenuItem } from '@gatehouse/ui/parts/menu';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { RestoreDialog } from '../deletion/restore-dialog.js';
import { t as ofDeletions } from '../deletion/words.js';
import { useMe } from '../session/me.js';
import { t } from '../words.js';
import { ImpersonateDialog } from './impersonate-dialog.js';
import { type MemberAction, type MemberPage, memberKey } from './member-page.js';
import { RecoveryDialog } from './recovery-dialog.js';
import { DeleteDialog, ExportDialog } from './seldom-member-dialogs.js';

/** Asks for the reason of a ban, and describes its effect. */
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
      action={t('ban.open')}
      mutation={mutation}
      onConfirm={async ({ reason = '' }, signal) => {
        await withReauth(() =>
          gatehouse.api.member.ban.mutate({ memberId, reason: reason.trim() }, { signal }),
        );
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        void queries.invalidateQueries({ queryKey: ['members'] });
        onDone(t('ban.done'));
      }}
      onClose={onClose}
    >
      <TextField
        name="reason"
        label={t('list.reason')}
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

type Asking = 'ban' | 'delete' | 'end' | 'export' | 'impersonate' | 'promote' | 'recovery' | 'restore';

/** Something that staff do about a member, and its place among the others. */
interface Offer extends MenuItem {
  /** Whether it may be the button beside the menu. */
  readonly mayLead?: boolean;
}

/**
 * The actions for a member that the service would not refuse: the one that the status calls for, and a menu with the others,
 * destructive ones last.
 */
export function Actions({
  page,
  onNotice,
}: {
  readonly page: MemberPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { member, status, ban, lockedOut, lockedUntil, counts, recovery, factors, restorableUntil } = page;
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState();
  const [asks, setAsks] = useState<Asking>();
  const { id: memberId, email } = member;
  const isSelf = memberId === me.member.id;
  const isDeleting = status === 'deleting';
  const isLocked = lockedOut || lockedUntil !== null;
  const hasSecondStep = factors.secondFactor || factors.totpAddedAt !== null || factors.passkeys > 0;
  const may = (action: MemberAction) => page.actions.includes(action);

  /** An action without a confirmation: it runs at once and shows a notice. */
  const act = (work: (signal: AbortSignal) => Promise<unknown>, notice: string) => ({
    isBusy: mutation.isBusy,
    onClick: () => {
      onNotice(undefined);
      mutation.send(async (signal) => {
        await withReauth(() => work(signal));
        await queries.invalidateQueries({ queryKey: memberKey(memberId) });
        onNotice(notice);
      });
    },
  });
  const ask = (what: Asking) => ({ onClick: () => setAsks(what) });
  const close = () => setAsks(undefined);
  const done = (notice: string) => {
    close();
    onNotice(notice);
  };
  const { api } = gatehouse;

  const offers: readonly (Offer | undefined)[] = [
    restorableUntil !== null && may('restore')
      ? { words: ofDeletions('restore.open'), mayLead: true, ...ask('restore') }
      : undefined,
    ban !== null && may('unban')
      ? {
          words: t('unban.open'),
          mayLead: !isDeleting,
          ...act(
            (signal) => api.member.unban.mutate({ memberId }, { signal }),
            t(isDeleting ? 'unban.doneDeleted' : 'unban.done'),
          ),
        }
      : undefined,
    isLocked && may('unlock')
      ? {
          words: t('unlock.open'),
          mayLead: true,
          ...act((signal) => api.member.unlock.mutate({ memberId }, { signal }), t('unlock.done')),
        }
      : undefined,
    recovery?.needsApproval === true && recovery.approvedAt === null && may('approveRecovery')
      ? {
          words: t('recovery.approve'),
          mayLead: true,
          ...act(
            (signal) => api.recovery.approve.mutate({ recoveryId: recovery.id }, { signal }),
            t('recovery.approved'),
          ),
        }
      : undefined,
    email !== null && !member.emailVerified && may('sendConfirmation')
      ? {
          words: t('confirmation.open'),
          mayLead: true,
          ...act(
            (signal) => api.member.sendConfirmation.mutate({ memberId }, { signal }),
            t('reset.done', { email }),
          ),
        }
      : undefined,
    email !== null && may('sendReset')
      ? {
          words: t('reset.open'),
          mayLead: true,
          ...act(
            (signal) => api.member.sendReset.mutate({ memberId }, { signal }),
            t('reset.done', { email }),
          ),
        }
      : undefined,
    recovery !== null && may('cancelRecovery')
      ? {
          words: t('recovery.cancel'),
          ...act(
            (signal) => api.recovery.cancel.mutate({ recoveryId: recovery.id }, { signal }),
            t('recovery.canceled'),
          ),
        }
      : undefined,
    recovery === null && hasSecondStep && may('openRecovery')
      ? { words: t('recovery.open'), ...ask('recovery') }
      : undefined,
    may('changeName')
      ? {
          words: t('edit.open'),
          mayLead: true,
          onClick: () =>
            void navigate({ to: '/members/$memberId/edit', params: { memberId: String(memberId) } }),
        }
      : undefined,
    may('impersonate') ? { words: t('actAs.open'), ...ask('impersonate') } : undefined,
    !member.isPersonnel && may('promote') ? { words: t('promote.open'), ...ask('promote') } : undefined,
    may('export') ? { words: ofDeletions('export.open'), ...ask('export') } : undefined,
    counts.sessions > 0 && !isSelf && may('endSessions')
      ? { words: t('end.open'), isGrave: true, ...ask('end') }
      : undefined,
    ban === null && !isSelf && may('ban')
      ? { words: t('ban.open'), isGrave: true, ...ask('ban') }
      : undefined,
    may('remove')
      ? {
          words: ofDeletions(isDeleting ? 'preventReturn.open' : 'deleteMember.open'),
          isGrave: true,
          ...ask('delete'),
        }
      : undefined,
  ];
  const offered = offers.filter((offer) => offer !== undefined);
  const lead = offered.find(({ mayLead }) => mayLead === true);
  const others = offered.filter((offer) => offer !== lead);
  const dialog = { page, onDone: done, onClose: close };
  return (
    <>
      {lead === undefined ? null : (
        <Button kind="primary" isBusy={lead.isBusy === true} onClick={lead.onClick}>
          {lead.words}
        </Button>
      )}
      {others.length === 0 ? null : <Menu label={t('more.open')} items={others} />}
      {mutation.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {asks === 'restore' ? (
        <RestoreDialog of={{ memberId, name: shownName(member) }} onDone={done} onClose={close} />
      ) : null}
      {asks === 'recovery' ? <RecoveryDialog {...dialog} /> : null}
      {asks === 'impersonate' ? <ImpersonateDialog page={page} onClose={close} /> : null}
      {asks === 'promote' ? <PromoteDialog page={page} onClose={close} /> : null}
      {asks === 'export' ? <ExportDialog {...dialog} /> : null}
      {asks === 'end' ? <EndSessionsDialog {...dialog} /> : null}
      {asks === 'ban' ? <BanDialog {...dialog} /> : null}
      {asks === 'delete' ? <DeleteDialog {...dialog} /> : null}
    </>
  );
}
