import { accountProcedures } from '@gatehouse/features/account/account-procedures';
import { search as accountSearch } from '@gatehouse/features/account/search';
import { accountPolicyProcedures } from '@gatehouse/features/account-policy/account-policy-procedures';
import { t } from '@gatehouse/features/app/trpc';
import { listOwn as listOwnAudit } from '@gatehouse/features/audit/list-own';
import { checkout } from '@gatehouse/features/billing/checkout/checkout';
import { plans } from '@gatehouse/features/billing/checkout/plans';
import { portal } from '@gatehouse/features/billing/checkout/portal';
import { current as subscriptionCurrent } from '@gatehouse/features/billing/subscription/current';
import { list as subscriptionList } from '@gatehouse/features/billing/subscription/list';
import { list as conversationList } from '@gatehouse/features/conversation/list';
import { messages as conversationMessages } from '@gatehouse/features/conversation/messages';
import { deleteOwn as deleteOwnMember } from '@gatehouse/features/deletion/delete-own';
import { restorationDetails } from '@gatehouse/features/deletion/restoration-details';
import { restoreOwn as restoreOwnMember } from '@gatehouse/features/deletion/restore-own';
import { approvalDetails } from '@gatehouse/features/email/approval-details';
import { approve as approveEmail } from '@gatehouse/features/email/approve';
import { change as changeEmail } from '@gatehouse/features/email/change';
import { resend as resendEmail } from '@gatehouse/features/email/resend';
import { exportOwn as exportOwnMember } from '@gatehouse/features/export/export-own';
import { bearer } from '@gatehouse/features/health/bearer';
import {
  details as impersonationDetails,
  open as openImpersonation,
} from '@gatehouse/features/impersonation/open';
import { invitationProcedures } from '@gatehouse/features/invitation/invitation-procedures';
import { designer } from '@gatehouse/features/login/designer';
import { loginProcedures } from '@gatehouse/features/login/login-procedures';
import { oneTimePassword } from '@gatehouse/features/login/one-time-password';
import { plain } from '@gatehouse/features/login/plain';
import { requestOneTimePassword } from '@gatehouse/features/login/request-one-time-password';
import { detail as memberDetail } from '@gatehouse/features/member/detail';
import { list as memberList } from '@gatehouse/features/member/list';
import { search as memberSearch } from '@gatehouse/features/member/search';
import { membershipProcedures } from '@gatehouse/features/membership/membership-procedures';
import { authenticate } from '@gatehouse/features/partner/authenticate';
import { consentProcedures } from '@gatehouse/features/partner/consent-procedures';
import { registerUser } from '@gatehouse/features/partner/register-user';
import { signIn } from '@gatehouse/features/partner/sign-in';
import { singleSignOn } from '@gatehouse/features/partner/single-sign-on';
import { passkeyProcedures } from '@gatehouse/features/passkey/passkey-procedures';
import { forgot } from '@gatehouse/features/password/forgot';
import { passwordProcedures } from '@gatehouse/features/password/password-procedures';
import { reset } from '@gatehouse/features/password/reset';
import { set as setPassword } from '@gatehouse/features/password/set';
import { settings as portalSettings } from '@gatehouse/features/portal/settings';
import { update as updateProfile } from '@gatehouse/features/profile/update';
import { cancelMine as cancelMyRecovery } from '@gatehouse/features/recovery/cancel-mine';
import { confirm } from '@gatehouse/features/registration/confirm';
import { confirmationDetails } from '@gatehouse/features/registration/confirmation-details';
import { register } from '@gatehouse/features/registration/register';
import { registrationProcedures } from '@gatehouse/features/registration/registration-procedures';
import { roleProcedures } from '@gatehouse/features/role/role-procedures';
import { factorProcedures, totpProcedures } from '@gatehouse/features/second-factor/second-factor-procedures';
import { listMine as listMySecurityEvents } from '@gatehouse/features/security-event/list-mine';
import { sessionProcedures } from '@gatehouse/features/session/session-procedures';
import { email as signInByEmail } from '@gatehouse/features/sign-in/email';
import { requestEmail as requestSignInEmail } from '@gatehouse/features/sign-in/request-email';
import { signInProcedures } from '@gatehouse/features/sign-in/sign-in-procedures';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { remove as subjectRemove } from '@gatehouse/features/subject/remove';
import { takeoverProcedures } from '@gatehouse/features/takeover/takeover-procedures';
import { verificationProcedures } from '@gatehouse/features/verification/verification-procedures';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';

export type { Permission } from '@gatehouse/auth-core';
export type { SocialProviderKey } from '@gatehouse/features/social/providers/index';
export type { TrpcRefusal } from '@gatehouse/http/trpc/trpc-refusal';

/** All procedures of the main service, one entry each. */
export const procedures = {
  account: { ...accountProcedures, search: accountSearch },
  accountPolicy: accountPolicyProcedures,
  audit: { listOwn: listOwnAudit },
  billing: { plans, checkout, portal },
  conversation: { list: conversationList, messages: conversationMessages },
  email: { approvalDetails, approve: approveEmail, change: changeEmail, resend: resendEmail },
  factor: factorProcedures,
  health: { bearer: bearer({ name: SERVICE_NAME, version: SERVICE_VERSION }) },
  impersonation: { details: impersonationDetails, open: openImpersonation },
  invitation: invitationProcedures,
  login: { ...loginProcedures, plain, designer, oneTimePassword, requestOneTimePassword },
  member: {
    detail: memberDetail,
    list: memberList,
    search: memberSearch,
    deleteOwn: deleteOwnMember,
    exportOwn: exportOwnMember,
    restorationDetails,
    restoreOwn: restoreOwnMember,
  },
  membership: membershipProcedures,
  partner: { ...consentProcedures, authenticate, registerUser, signIn, singleSignOn },
  passkey: passkeyProcedures,
  password: { ...passwordProcedures, forgot, reset, set: setPassword },
  portal: { settings: portalSettings },
  profile: { update: updateProfile },
  recovery: { cancelMine: cancelMyRecovery },
  registration: { ...registrationProcedures, confirm, confirmationDetails, register },
  securityEvent: { listMine: listMySecurityEvents },
  role: roleProcedures,
  session: sessionProcedures,
  signIn: { ...signInProcedures, email: signInByEmail, requestEmail: requestSignInEmail },
  social: socialProcedures,
  subscription: { current: subscriptionCurrent, list: subscriptionList },
  subject: { remove: subjectRemove },
  takeover: takeoverProcedures,
  totp: totpProcedures,
  verification: verificationProcedures,
};

export const router = t.router(procedures);

/** The type from which typed clients are derived. */
export type MainRouter = typeof router;
