import { emailApprovalToken } from './email-approval-token.js';
import { emailVerificationToken } from './email-verification-token.js';
import { impersonationTicketToken } from './impersonation-ticket-token.js';
import { impersonationToken } from './impersonation-token.js';
import { invitationToken } from './invitation-token.js';
import { memberRestoreToken } from './member-restore-token.js';
import { partnerLoginToken } from './partner-login-token.js';
import { passwordResetToken } from './password-reset-token.js';
import { sessionToken } from './session-token.js';
import { socialLoginToken } from './social-login-token.js';

const TYPED_KINDS = [
  socialLoginToken,
  partnerLoginToken,
  emailVerificationToken,
  emailApprovalToken,
  memberRestoreToken,
  passwordResetToken,
  invitationToken,
  impersonationToken,
  impersonationTicketToken,
] as const;

type EncryptedKind = typeof sessionToken | (typeof TYPED_KINDS)[number];

/** The payload of an encrypted token, with its kind. */
export type TokenContent = NonNullable<ReturnType<EncryptedKind['read']>>;

/**
 * The kind named by a payload's `type`; an unknown name is not a kind. A session has no `type`. Neither has a login token
 * that the replaced system made for a partner: it lists accounts, where a session has one.
 */
export function findTokenKind(payload: object): EncryptedKind | undefined {
  if (!('type' in payload)) return 'accountIds' in payload ? partnerLoginToken : sessionToken;
  return TYPED_KINDS.find((each) => each.kind === payload.type);
}
