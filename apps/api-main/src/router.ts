import { accountPolicyProcedures } from '@gatehouse/features/account/account-policy/account-policy-procedures';
import { accountProcedures } from '@gatehouse/features/account/account-procedures';
import { deleteOwn as deleteOwnMember } from '@gatehouse/features/account/deletion/delete-own';
import { restorationDetails } from '@gatehouse/features/account/deletion/restoration-details';
import { restoreOwn as restoreOwnMember } from '@gatehouse/features/account/deletion/restore-own';
import { invitationProcedures } from '@gatehouse/features/account/invitation/invitation-procedures';
import { membershipProcedures } from '@gatehouse/features/account/membership/membership-procedures';
import { roleProcedures } from '@gatehouse/features/account/role/role-procedures';
import { search as accountSearch } from '@gatehouse/features/account/search';
import { takeoverProcedures } from '@gatehouse/features/account/takeover/takeover-procedures';
import { listOwn as listOwnAudit } from '@gatehouse/features/audit/list-own';
import { listMine as listMySecurityEvents } from '@gatehouse/features/audit/security-event/list-mine';
import {
  factorProcedures,
  loginProcedures,
  passkeyProcedures,
  sessionProcedures,
  signInProcedures,
  totpProcedures,
  verificationProcedures,
} from '@gatehouse/features/authentication/authentication-procedures';
import { requestSignInEmail, signInByEmail } from '@gatehouse/features/authentication/email-sign-in';
import {
  oneTimePassword,
  requestOneTimePassword,
} from '@gatehouse/features/authentication/one-time-password-login';
import { designerLogin, plainLogin } from '@gatehouse/features/authentication/password-logins';
import { cancelMine as cancelMyRecovery } from '@gatehouse/features/authentication/recovery/cancel-recovery';
import { checkout } from '@gatehouse/features/billing/checkout/checkout';
import { plans } from '@gatehouse/features/billing/checkout/plans';
import { portal } from '@gatehouse/features/billing/checkout/portal';
import { current as subscriptionCurrent } from '@gatehouse/features/billing/subscription/current';
import { list as subscriptionList } from '@gatehouse/features/billing/subscription/list';
import { t } from '@gatehouse/features/core/context';
import { bearer } from '@gatehouse/features/deployment/health/bearer';
import { settings as portalSettings } from '@gatehouse/features/deployment/portal/settings';
import { list as conversationList } from '@gatehouse/features/member/conversation/list';
import { messages as conversationMessages } from '@gatehouse/features/member/conversation/messages';
import { detail as memberDetail } from '@gatehouse/features/member/detail';
import { list as memberList } from '@gatehouse/features/member/list';
import { update as updateProfile } from '@gatehouse/features/member/profile/update';
import { search as memberSearch } from '@gatehouse/features/member/search';
import { remove as subjectRemove } from '@gatehouse/features/member/subject/remove';
import { authenticate } from '@gatehouse/features/partner/authenticate-partner';
import { consentProcedures } from '@gatehouse/features/partner/consent-procedures';
import { signIn } from '@gatehouse/features/partner/partner-member-sign-in';
import { registerUser, singleSignOn } from '@gatehouse/features/partner/partner-users';
import { approvalDetails, approve as approveEmail } from '@gatehouse/features/registration/approve-address';
import { change as changeEmail, resend as resendEmail } from '@gatehouse/features/registration/change-email';
import { set as setPassword } from '@gatehouse/features/registration/change-own-password';
import { confirm, confirmationDetails } from '@gatehouse/features/registration/confirm-address';
import { register } from '@gatehouse/features/registration/register';
import {
  passwordProcedures,
  registrationProcedures,
} from '@gatehouse/features/registration/registration-procedures';
import { forgot, reset } from '@gatehouse/features/registration/reset-password';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { exportOwn as exportOwnMember } from '@gatehouse/features/staff/export/export-own';
import {
  details as impersonationDetails,
  open as openImpersonation,
} from '@gatehouse/features/staff/impersonation/open';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';

export type { Permission } from '@gatehouse/auth-core';
export type { SocialProviderKey } from '@gatehouse/features/core/social-providers/social-providers';
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
  login: {
    ...loginProcedures,
    plain: plainLogin,
    designer: designerLogin,
    oneTimePassword,
    requestOneTimePassword,
  },
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
