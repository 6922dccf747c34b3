import { accountClosed } from './kinds/account-closed.js';
import { activation } from './kinds/activation.js';
import { addressAgreed } from './kinds/address-agreed.js';
import { addressApproval } from './kinds/address-approval.js';
import { addressChanged } from './kinds/address-changed.js';
import { addressChanging } from './kinds/address-changing.js';
import { certificateEnding } from './kinds/certificate-ending.js';
import { comeBack } from './kinds/come-back.js';
import { domainUnproven } from './kinds/domain-unproven.js';
import { endpointFailing } from './kinds/endpoint-failing.js';
import { factorChanged } from './kinds/factor-changed.js';
import { impersonationStarted } from './kinds/impersonation-started.js';
import { invitation } from './kinds/invitation.js';
import { invitationAccepted } from './kinds/invitation-accepted.js';
import { keyExpiring } from './kinds/key-expiring.js';
import { keyLeaked } from './kinds/key-leaked.js';
import { listedPassword } from './kinds/listed-password.js';
import { mailedCode } from './kinds/mailed-code.js';
import { memberDeleted } from './kinds/member-deleted.js';
import { memberReturned } from './kinds/member-returned.js';
import { moreNotices } from './kinds/more-notices.js';
import { newConnection } from './kinds/new-connection.js';
import { oneTimePassword } from './kinds/one-time-password.js';
import { ownershipMoved } from './kinds/ownership-moved.js';
import { passwordChanged } from './kinds/password-changed.js';
import { passwordReset } from './kinds/password-reset.js';
import { policyChanged } from './kinds/policy-changed.js';
import { recovery } from './kinds/recovery.js';
import { recoveryTicket } from './kinds/recovery-ticket.js';
import { removedFromAccount } from './kinds/removed-from-account.js';
import { roleChanged } from './kinds/role-changed.js';
import { scimTokenExpiring } from './kinds/scim-token-expiring.js';
import { signInCode } from './kinds/sign-in-code.js';
import { signInNotice } from './kinds/sign-in-notice.js';
import { signInsEnded } from './kinds/sign-ins-ended.js';
import { ssoBypassed } from './kinds/sso-bypassed.js';
import { staffAccessChanged } from './kinds/staff-access-changed.js';
import { staffInvitation } from './kinds/staff-invitation.js';
import { staffTicketIssued } from './kinds/staff-ticket-issued.js';
import { tokenReused } from './kinds/token-reused.js';
import type { MailKind } from './mail-kind.js';

const KINDS = {
  accountClosed,
  activation,
  addressAgreed,
  addressApproval,
  addressChanged,
  addressChanging,
  certificateEnding,
  comeBack,
  domainUnproven,
  endpointFailing,
  factorChanged,
  impersonationStarted,
  invitation,
  invitationAccepted,
  keyExpiring,
  keyLeaked,
  listedPassword,
  mailedCode,
  memberDeleted,
  memberReturned,
  moreNotices,
  newConnection,
  oneTimePassword,
  ownershipMoved,
  passwordChanged,
  passwordReset,
  policyChanged,
  recovery,
  recoveryTicket,
  removedFromAccount,
  roleChanged,
  scimTokenExpiring,
  signInCode,
  signInNotice,
  signInsEnded,
  ssoBypassed,
  staffAccessChanged,
  staffInvitation,
  staffTicketIssued,
  tokenReused,
};

export type MailKindName = keyof typeof KINDS;

/** The parameters of each kind of mail. */
export type MailData = { [Name in MailKindName]: Parameters<(typeof KINDS)[Name]['compose']['en']>[0] };

/** Every kind of mail we send, by name. */
export const MAIL_KINDS: { readonly [Name in MailKindName]: MailKind<MailData[Name]> } = KINDS;

/** Whether this version knows the kind of a stored mail. */
export function isMailKind(name: string): name is MailKindName {
  return Object.hasOwn(KINDS, name);
}
