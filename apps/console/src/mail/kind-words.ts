import { t } from '../words.js';

const WORDS = {
  accountClosed: 'mailKind.accountClosed',
  activation: 'mailKind.activation',
  addressAgreed: 'mailKind.addressAgreed',
  addressApproval: 'mailKind.addressApproval',
  addressChanged: 'mailKind.addressChanged',
  addressChanging: 'mailKind.addressChanging',
  comeBack: 'mailKind.comeBack',
  factorChanged: 'mailKind.factorChanged',
  impersonationStarted: 'mailKind.impersonationStarted',
  invitation: 'mailKind.invitation',
  invitationAccepted: 'mailKind.invitationAccepted',
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
  signInCode: 'mailKind.signInCode',
  signInNotice: 'mailKind.signInNotice',
  signInsEnded: 'mailKind.signInsEnded',
  staffAccessChanged: 'mailKind.staffAccessChanged',
  staffInvitation: 'mailKind.staffInvitation',
  staffTicketIssued: 'mailKind.staffTicketIssued',
} as const;

/** What a mail is about. A kind of a newer release is told by its name. */
export function mailKindWords(kind: string): string {
  return isKnown(kind) ? t(WORDS[kind]) : kind;
}

function isKnown(kind: string): kind is keyof typeof WORDS {
  return Object.hasOwn(WORDS, kind);
}
