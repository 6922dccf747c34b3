import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { RowAction } from '@gatehouse/ui/list/paged-list';
import { RowMark, type StatusTone } from '@gatehouse/ui/parts/icons';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

const WORDS = {
  accountClosed: 'mailKind.accountClosed',
  activation: 'mailKind.activation',
  addressAgreed: 'mailKind.addressAgreed',
  addressApproval: 'mailKind.addressApproval',
  addressChanged: 'mailKind.addressChanged',
  addressChanging: 'mailKind.addressChanging',
  certificateEnding: 'mailKind.certificateEnding',
  comeBack: 'mailKind.comeBack',
  domainUnproven: 'mailKind.domainUnproven',
  endpointFailing: 'mailKind.endpointFailing',
  factorChanged: 'mailKind.factorChanged',
  impersonationStarted: 'mailKind.impersonationStarted',
  invitation: 'mailKind.invitation',
  invitationAccepted: 'mailKind.invitationAccepted',
  keyExpiring: 'mailKind.keyExpiring',
  keyLeaked: 'mailKind.keyLeaked',
  listedPassword: 'mailKind.listedPassword',
  mailedCode: 'mailKind.mailedCode',
  memberDeleted: 'mailKind.memberDeleted',
  moreNotices: 'mailKind.moreNotices',
  memberReturned: 'mailKind.memberReturned',
  newConnection: 'mailKind.newConnection',
  oneTimePassword: 'mailKind.oneTimePassword',
  ownershipMoved: 'mailKind.ownershipMoved',
  passwordChanged: 'mailKind.passwordChanged',
  passwordReset: 'mailKind.passwordReset',
  policyChanged: 'mailKind.policyChanged',
  recovery: 'mailKind.recovery',
  recoveryTicket: 'mailKind.recoveryTicket',
  removedFromAccount: 'mailKind.removedFromAccount',
  roleChanged: 'mailKind.roleChanged',
  scimTokenExpiring: 'mailKind.scimTokenExpiring',
  signInCode: 'mailKind.signInCode',
  signInNotice: 'mailKind.signInNotice',
  signInsEnded: 'mailKind.signInsEnded',
  ssoBypassed: 'mailKind.ssoBypassed',
  staffAccessChanged: 'mailKind.staffAccessChanged',
  staffInvitation: 'mailKind.staffInvitation',
  staffTicketIssued: 'mailKind.staffTicketIssued',
  tokenReused: 'mailKind.tokenReused',
} as const;

/** The subject of a mail. A kind of a newer release is shown by its name. */
function mailKindWords(kind: string): string {
  return isKnown(kind) ? t(WORDS[kind]) : kind;
}

/** Every kind of this release with its words, in the order of the words. */
export function listMailKinds(): readonly { readonly value: string; readonly label: string }[] {
  return Object.keys(WORDS)
    .map((value) => ({ value, label: mailKindWords(value) }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

function isKnown(kind: string): kind is keyof typeof WORDS {
  return Object.hasOwn(WORDS, kind);
}

export type Mail = AdminOutputs['member']['page']['data']['mails'][number];

/** A mail in a list, with its recipient. */
export type ListedMail = AdminOutputs['mail']['list']['data'][number];

const TONES = { sent: 'ok', queued: 'pending', failed: 'error', held: 'error' } as const satisfies Readonly<
  Record<Mail['state'], StatusTone>
>;

/** One mail: its kind, whether it was sent, and why not. Its text is never shown. */
export function MailRow({
  mail,
  memberName,
  onRetried,
}: {
  readonly mail: Mail;
  /** The member to link to, on a screen that is not about one member. */
  readonly memberName?: string | null;
  /** Absent where trying again is not permitted. */
  readonly onRetried?: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const { id: mailId, kind, state, address, at, sentAt, dueAt, attempts, reason, memberId } = mail;
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-1 p-3 rows:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span className="pt-0.5">
        <RowMark tone={TONES[state]} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <span className="font-semibold">{mailKindWords(kind)}</span> ·{' '}
          {state === 'sent' && sentAt !== null
            ? t('mail.sent', { time: shownTime(sentAt) })
            : state === 'queued'
              ? t('mail.queued', { time: shownTime(dueAt ?? at) })
              : state === 'held'
                ? t('mail.held')
                : t('mail.failed', { count: attempts })}
        </p>
        <p className="text-quiet">
          {memberName !== undefined && memberId !== null ? (
            <Link
              to="/members/$memberId"
              params={{ memberId: String(memberId) }}
              className="inline-flex min-h-6 items-center text-harbour underline underline-offset-3"
            >
              <bdi>{memberName ?? address}</bdi>
            </Link>
          ) : (
            <bdi>{address}</bdi>
          )}
          {memberName === undefined || memberName === null ? null : (
            <>
              {' '}
              · <bdi>{address}</bdi>
            </>
          )}
          {state === 'sent' ? null : <> · {t('mail.written', { time: shownTime(at) })}</>}
        </p>
        {reason === null ? null : (
          <p className="text-brick">
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
      {state === 'failed' && onRetried !== undefined ? (
        <div className="col-start-2 rows:col-start-3">
          <RowAction
            about={address}
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await gatehouse.api.mail.retry.mutate({ mailId }, { signal });
                await queries.invalidateQueries({ queryKey: ['mail'] });
                if (memberId !== null) await queries.invalidateQueries({ queryKey: ['member', memberId] });
                onRetried();
              })
            }
          >
            {t('mail.retry')}
          </RowAction>
        </div>
      ) : null}
      {mutation.failure === undefined ? null : (
        <div className="col-span-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </li>
  );
}
