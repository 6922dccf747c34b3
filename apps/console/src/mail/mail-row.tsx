import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { Badge } from '@gatehouse/ui/parts/badge';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { At } from '@gatehouse/ui/screen/ago';
import { shownAgo } from '@gatehouse/ui/screen/shown-time';
import type { ReactElement } from 'react';
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
  recoveryTicket: 'field.recoveryCode',
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
export function mailKindWords(kind: string): string {
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

const STATES = {
  sent: ['ok', 'ok', 'mail.onlySent'],
  queued: ['pending', 'clock', 'list.waiting'],
  failed: ['error', 'error', 'list.failed'],
  held: ['error', 'ban', 'mail.onlyHeld'],
} as const satisfies Readonly<Record<Mail['state'], readonly [StatusTone, string, string]>>;

/** The state of a mail, in words. */
export const mailStateWords = (state: Mail['state']): string => t(STATES[state][2]);

/** Whether a mail was sent, and why not. */
export function MailStatus({
  mail: { state, dueAt, at, attempts, reason },
}: {
  readonly mail: Mail;
}): ReactElement {
  const [tone, shape] = STATES[state];
  return (
    <>
      <Badge tone={tone} shape={shape}>
        {mailStateWords(state)}
      </Badge>
      {state === 'sent' ? null : (
        <span className="text-quiet">
          {' '}
          {state === 'queued'
            ? t('mail.queued', { time: shownAgo(dueAt ?? at) })
            : t(state === 'held' ? 'mail.held' : 'mail.failed', { count: attempts })}
        </span>
      )}
      {reason === null ? null : (
        <span className="block text-brick">
          <bdi>{reason}</bdi>
        </span>
      )}
    </>
  );
}

/** One mail on the page of a member: its kind, when, and whether it was sent. Its text is never shown. */
export function MailRow({ mail }: { readonly mail: Mail }): ReactElement {
  return (
    <li className="p-3 wrap-anywhere">
      <p className="font-semibold">{mailKindWords(mail.kind)}</p>
      <p>
        <span className="text-quiet">
          <At at={mail.sentAt ?? mail.at} />
          {' · '}
        </span>
        <MailStatus mail={mail} />
      </p>
    </li>
  );
}
