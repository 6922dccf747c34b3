import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { MutationState } from '../call/mutation-state.js';
import { useMutationState } from '../failure/use-mutation-state.js';
import { Confirm } from '../form/confirm.js';
import { FailureNote, Form } from '../form/form.js';
import { type Choice, SelectField } from '../form/select-field.js';
import { AddressField } from '../form/text-field.js';
import type { Page } from '../list/ask-for-rows.js';
import { More, RowAction, usePages } from '../list/paged-list.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import type { StatusTone } from '../parts/icons.js';
import { QueryView } from '../screen/asked.js';
import { shownAddress } from '../screen/shown-address.js';
import { shownDay } from '../screen/shown-time.js';
import { type Draft, InviteMany, type KeepDraft, type OnInvite } from './invite-many.js';
import { roleName } from './role-name.js';
import { TeamRow } from './team-row.js';
import { t } from './words.js';

/** An invitation as the services list it. */
export interface ListedInvitation {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly state: keyof typeof STATES;
  /** The state of its mail. */
  readonly delivery: string;
  readonly expiresAt: string;
  readonly invitedBy: { readonly name: string };
}

const TONES: Readonly<Record<keyof typeof STATES, StatusTone>> = {
  accepted: 'ok',
  pending: 'ok',
  declined: 'ok',
  revoked: 'ok',
  expired: 'pending',
  void: 'pending',
};

/** The tones of mails that did not leave. */
const MAIL_TONES: Readonly<Record<string, StatusTone>> = { failed: 'error', held: 'pending' };

const STATES = {
  accepted: 'invitation.accepted',
  pending: 'invitation.pending',
  declined: 'invitation.declined',
  revoked: 'invitation.revoked',
  expired: 'invitation.expired',
  void: 'invitation.void',
} as const;

/** The state of an invitation, and of its mail if that matters. */
function statusOf({ state, delivery, expiresAt, invitedBy }: ListedInvitation): string {
  if (state === 'pending' && delivery === 'failed') return t('invitation.failed');
  if (state === 'pending' && delivery === 'held') return t('invitation.held');
  return t(STATES[state], { day: shownDay(expiresAt), name: invitedBy.name });
}

/** The actions on invitations. Each call also invalidates the data that it made stale. */
interface InvitationCalls<Invitation extends ListedInvitation> {
  readonly actionsOf: (invitation: Invitation) => readonly ('resend' | 'revoke')[];
  readonly onResend: (invitation: Invitation, signal: AbortSignal) => Promise<unknown>;
  readonly onRevoke: (invitation: Invitation, signal: AbortSignal) => Promise<unknown>;
  readonly onNotice: (notice: string) => void;
}

/** The invitations that wait for an answer and, on request, the others too. */
export function Invitations<Invitation extends ListedInvitation>({
  queryKey,
  ask,
  ...calls
}: InvitationCalls<Invitation> & {
  readonly queryKey: readonly unknown[];
  readonly ask: (
    page: { cursor?: string; state?: 'pending' },
    signal: AbortSignal,
  ) => Promise<Page<Invitation>>;
}): ReactElement {
  const [isAll, setAll] = useState(false);
  const list = usePages<Invitation>([...queryKey, isAll ? 'all' : 'pending'], (page, signal) =>
    ask(isAll ? page : { ...page, state: 'pending' }, signal),
  );
  return (
    <Card
      title={t(isAll ? 'invitations.all' : 'invitations.pending')}
      aside={
        <RowAction onClick={() => setAll(!isAll)}>
          {t(isAll ? 'invitations.showPending' : 'invitations.showAll')}
        </RowAction>
      }
    >
      <QueryView answer={list} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? <p className="p-3 text-quiet">{t('invitations.none')}</p> : null}
            <ul>
              {rows.map((invitation) => (
                <Row key={invitation.id} invitation={invitation} {...calls} />
              ))}
            </ul>
            <More of={list} />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Row<Invitation extends ListedInvitation>({
  invitation,
  actionsOf,
  onResend,
  onRevoke,
  onNotice,
}: InvitationCalls<Invitation> & { readonly invitation: Invitation }): ReactElement {
  const mutation = useMutationState();
  const revoking = useMutationState();
  const [isRevoking, setRevoking] = useState(false);
  const { email, role, state, delivery } = invitation;
  const actions = {
    resend: {
      words: t('invitation.again'),
      isBusy: mutation.isBusy,
      onClick: () =>
        mutation.send(async (signal) => {
          await onResend(invitation, signal);
          onNotice(t('invite.sent', { email }));
        }),
    },
    revoke: { words: t('invitation.revoke'), isGrave: true, onClick: () => setRevoking(true) },
  };
  return (
    <TeamRow
      tone={state === 'pending' ? (MAIL_TONES[delivery] ?? 'ok') : TONES[state]}
      about={shownAddress(email)}
      lines={
        <>
          <bdi className="font-semibold">{shownAddress(email)}</bdi>
          <p className="text-quiet">{statusOf(invitation)}</p>
        </>
      }
      role={roleName(role)}
      actions={actionsOf(invitation).map((action) => actions[action])}
    >
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
      {isRevoking ? (
        <Confirm
          title={t('revoke.title', { email })}
          effect={t('revoke.effect')}
          action={t('revoke.submit')}
          mutation={revoking}
          onConfirm={async (_fields, signal) => {
            await onRevoke(invitation, signal);
            onNotice(t('revoke.done', { email }));
            setRevoking(false);
          }}
          onClose={() => setRevoking(false)}
        />
      ) : null}
    </TeamRow>
  );
}

/** Invites one address after the other, or many that are pasted. */
export function InviteCard({
  onNotice,
  draft,
  ...of
}: {
  readonly choices: readonly Choice[];
  readonly defaultRole: string;
  readonly onInvite: OnInvite;
  readonly draft?: Draft | undefined;
  readonly onKeep?: KeepDraft | undefined;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const [isMany, setMany] = useState(draft?.emails.includes('\n') ?? false);
  const [isSwitched, setSwitched] = useState(false);
  const one = useMutationState('email', 'role');
  const many = useMutationState('emails', 'role');
  return (
    <Card
      title={t('invite.title')}
      aside={
        <RowAction
          isBusy={one.isBusy || many.isBusy}
          onClick={() => {
            one.fail(undefined);
            many.fail(undefined);
            setSwitched(true);
            setMany(!isMany);
          }}
        >
          {t(isMany ? 'invite.openOne' : 'invite.openMany')}
        </RowAction>
      }
    >
      <div className="p-3">
        {isMany ? (
          <InviteMany mutation={many} draft={isSwitched ? undefined : draft} {...of} />
        ) : (
          <InviteOne mutation={one} draft={isSwitched ? undefined : draft} onNotice={onNotice} {...of} />
        )}
      </div>
    </Card>
  );
}

function InviteOne({
  mutation,
  choices,
  defaultRole,
  onInvite,
  draft,
  onKeep,
  onNotice,
  onClose,
}: {
  readonly mutation: MutationState;
  readonly choices: readonly Choice[];
  readonly defaultRole: string;
  readonly onInvite: OnInvite;
  readonly draft: Draft | undefined;
  readonly onKeep?: KeepDraft | undefined;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const [sent, setSent] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [sent]);
  return (
    <div ref={place}>
      <Form
        mutation={mutation}
        onSend={async ({ email = '', role = '' }, signal) => {
          onKeep?.({ emails: email.trim(), role });
          const invited = await onInvite(email.trim(), role, signal).finally(() => onKeep?.(undefined));
          onNotice(t(invited.delivery === 'held' ? 'invite.held' : 'invite.sent', { email: invited.email }));
          setSent(sent + 1);
        }}
      >
        <div className="grid gap-5 rows:grid-cols-2">
          <AddressField
            key={sent}
            name="email"
            label={t('invite.email')}
            defaultValue={sent === 0 ? (draft?.emails ?? '') : ''}
            autoComplete="off"
            required
          />
          <SelectField name="role" label={t('role.field')} choices={choices} defaultValue={defaultRole} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('invite.submit')}
          </Button>
          <Button isBusy={mutation.isBusy} onClick={onClose}>
            {t('invite.close')}
          </Button>
        </div>
      </Form>
    </div>
  );
}
