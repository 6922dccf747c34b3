import type { MainOutputs } from '@gatehouse/client-sdk';
import { t } from './words.js';

export type SecurityEvent = MainOutputs['securityEvent']['listMine']['data'][number];

/** The words of each kind of event; a test finds kinds without any. */
export const EVENTS = {
  login: 'event.login',
  'session.ended': 'event.sessionEnded',
  'session.all-ended': 'event.sessionsEnded',
  'session.others-ended': 'event.othersEnded',
  'session.many-networks': 'event.manyNetworks',
  'session.refreshed': 'event.sessionRefreshed',
  'session.renamed': 'event.sessionRenamed',
  'session.verified': 'event.sessionVerified',
  'password.changed': 'event.passwordChanged',
  'password.set': 'event.passwordSet',
  'password.reset': 'event.passwordReset',
  'password.adopted': 'event.passwordAdopted',
  'password.listed': 'event.passwordListed',
  'address.confirmed': 'event.addressConfirmed',
  'address.changed': 'event.addressChanged',
  'address.change-requested': 'event.addressRequested',
  'address.change-approved': 'event.addressApproved',
  'address.change-denied': 'event.addressDenied',
  'address.change-cancelled': 'event.addressCancelled',
  'connection.added': 'event.connectionAdded',
  'connection.deletedByProvider': 'event.connectionDeleted',
  'connection.renewed': 'event.connectionRenewed',
  'connection.removed': 'event.connectionRemoved',
  'factor.totp-added': 'event.appAdded',
  'factor.totp-removed': 'event.appRemoved',
  'factor.passkey-added': 'event.passkeyAdded',
  'factor.passkey-renamed': 'event.passkeyRenamed',
  'factor.passkey-removed': 'event.passkeyRemoved',
  'factor.passkey-suspect': 'event.passkeySuspect',
  'factor.switched': 'event.switched',
  'factor.switched-on': 'event.switchedOn',
  'factor.switched-off': 'event.switchedOff',
  'factor.backup-codes-made': 'event.codesMade',
  'factor.backup-code-used': 'event.codeUsed',
  'factor.locked': 'event.factorLocked',
  'factor.ticket-printed': 'event.ticketPrinted',
  'recovery.opened': 'event.recoveryOpened',
  'recovery.approved': 'event.recoveryApproved',
  'recovery.ticket-sent': 'event.recoveryTicketSent',
  'recovery.ticket-used': 'event.recoveryTicketUsed',
  'recovery.canceled': 'event.recoveryCanceled',
  'recovery.expired': 'event.recoveryExpired',
  'recovery.completed': 'event.recoveryCompleted',
  'membership.added': 'event.membershipAdded',
  'membership.changed': 'event.membershipChanged',
  'membership.restored': 'event.membershipRestored',
  'membership.removed': 'event.membershipRemoved',
  'membership.left': 'event.membershipLeft',
  'membership.held': 'event.membershipHeld',
  'membership.kept': 'event.membershipKept',
  'impersonation.started': 'event.actorStarted',
  'impersonation.opened': 'event.actorOpened',
  'impersonation.ended': 'event.actorEnded',
  'auth-token.issued': 'event.tokenIssued',
  'member.banned': 'event.banned',
  'member.unbanned': 'event.unbanned',
  'member.unlocked': 'event.unlocked',
  'member.deleted': 'event.deleted',
  'member.restored': 'event.restored',
  'member.sign-ins-ended': 'event.signInsEnded',
  'consent.given': 'event.consentGiven',
  'consent.token-reused': 'event.consentTokenReused',
  'consent.withdrawn': 'event.consentWithdrawn',
  'partner.consent': 'event.consent',
  'partner.link_ended': 'event.linkEnded',
  'partner.link_kept': 'event.linkKept',
} as const;

const isKnown = (kind: string): kind is keyof typeof EVENTS => Object.hasOwn(EVENTS, kind);

/** What happened, in a sentence. Kinds that we have no words for are named as the service does. */
export function eventText({ kind, outcome }: Pick<SecurityEvent, 'kind' | 'outcome'>): string {
  if (kind === 'verification') return t('event.verificationFailed');
  if (kind === 'factor.setup') return t('event.setupFailed');
  if (outcome === 'failed') return t('event.failed');
  if (outcome === 'locked') return t('event.locked');
  return isKnown(kind) ? t(EVENTS[kind]) : kind;
}
