import { VERSION } from '@gatehouse/auth-core';
import {
  accountProcedures,
  invitationProcedures,
  membershipProcedures,
  roleProcedures,
  takeoverProcedures,
} from '@gatehouse/features/account/account-procedures';
import { deleteMyself } from '@gatehouse/features/account/delete-own-member';
import { accountPolicyProcedures } from '@gatehouse/features/account/manage-account-policy';
import { restorationDetails, restoreOwnMember } from '@gatehouse/features/account/restore-own-member';
import { searchOwnAccounts } from '@gatehouse/features/account/search-own-accounts';
import { applicationProcedures } from '@gatehouse/features/application/application-procedures';
import { consentProcedures } from '@gatehouse/features/application/consent-procedures';
import { listOwnAudit } from '@gatehouse/features/audit/list-audit';
import { listMySecurityEvents } from '@gatehouse/features/audit/security-events';
import { issueAccessToken } from '@gatehouse/features/authentication/access-token/issue-access-token';
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
import { billingPortal } from '@gatehouse/features/billing/billing-portal';
import { checkout } from '@gatehouse/features/billing/checkout';
import { listInvoices } from '@gatehouse/features/billing/list-invoices';
import { currentOfAccount, listSubscriptions } from '@gatehouse/features/billing/list-subscriptions';
import { listPlans } from '@gatehouse/features/billing/plans';
import { t } from '@gatehouse/features/core/context';
import { bearer } from '@gatehouse/features/deployment/bearer-check';
import { portalSettings } from '@gatehouse/features/deployment/portal-settings';
import {
  eventDeliveryProcedures,
  eventEndpointProcedures,
} from '@gatehouse/features/endpoint/endpoint-procedures';
import { partnerEventProcedures } from '@gatehouse/features/endpoint/partner-endpoint-procedures';
import { eventCatalogue, listAccountEvents } from '@gatehouse/features/event/list-events';
import { keyProcedures, machineProcedures } from '@gatehouse/features/machine/machine-procedures';
import { updateProfile } from '@gatehouse/features/member/change-profile';
import {
  listAccountConversations,
  listConversationMessages,
} from '@gatehouse/features/member/list-conversations';
import {
  listAccountMembers,
  memberDetail,
  searchAccountMembers,
} from '@gatehouse/features/member/list-members';
import { removeAccountSubject } from '@gatehouse/features/member/remove-subject';
import { authenticate } from '@gatehouse/features/partner/authenticate-partner';
import { consentProcedures as partnerConsents } from '@gatehouse/features/partner/consent-procedures';
import { signIn } from '@gatehouse/features/partner/partner-member-sign-in';
import { registerUser, singleSignOn } from '@gatehouse/features/partner/partner-users';
import { approvalDetails, approve as approveEmail } from '@gatehouse/features/registration/approve-address';
import { changeEmail, resend as resendEmail } from '@gatehouse/features/registration/change-email';
import { set as setPassword } from '@gatehouse/features/registration/change-own-password';
import { confirm, confirmationDetails } from '@gatehouse/features/registration/confirm-address';
import { register } from '@gatehouse/features/registration/register';
import {
  passwordProcedures,
  registrationProcedures,
} from '@gatehouse/features/registration/registration-procedures';
import { forgot, reset } from '@gatehouse/features/registration/reset-password';
import { scimProcedures } from '@gatehouse/features/scim/token-procedures';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { ssoProcedures } from '@gatehouse/features/sso/sso-procedures';
import { exportMyself } from '@gatehouse/features/staff/export-own-member';
import { impersonationDetails, openImpersonation } from '@gatehouse/features/staff/open-impersonation';
import { SERVICE_NAME } from './identity.js';

export type { Permission } from '@gatehouse/auth-core';
export type { SocialProviderKey } from '@gatehouse/features/core/social-providers/social-providers';
export type { EventType, GatehouseEvent } from '@gatehouse/features/event/event';
export type { TrpcRefusal } from '@gatehouse/http/trpc/trpc-refusal';

/** All procedures of the main service, one entry each. */
export const procedures = {
  account: { ...accountProcedures, search: searchOwnAccounts },
  accountPolicy: accountPolicyProcedures,
  audit: { listOwn: listOwnAudit },
  billing: { plans: listPlans, checkout, invoices: listInvoices, portal: billingPortal },
  conversation: { list: listAccountConversations, messages: listConversationMessages },
  email: { approvalDetails, approve: approveEmail, change: changeEmail, resend: resendEmail },
  event: { catalogue: eventCatalogue, list: listAccountEvents },
  eventDelivery: eventDeliveryProcedures,
  eventEndpoint: eventEndpointProcedures,
  factor: factorProcedures,
  health: { bearer: bearer({ name: SERVICE_NAME, version: VERSION }) },
  impersonation: { details: impersonationDetails, open: openImpersonation },
  invitation: invitationProcedures,
  key: keyProcedures,
  login: {
    ...loginProcedures,
    plain: plainLogin,
    designer: designerLogin,
    oneTimePassword,
    requestOneTimePassword,
  },
  app: applicationProcedures,
  consent: consentProcedures,
  machine: machineProcedures,
  member: {
    detail: memberDetail,
    list: listAccountMembers,
    search: searchAccountMembers,
    deleteOwn: deleteMyself,
    exportOwn: exportMyself,
    restorationDetails,
    restoreOwn: restoreOwnMember,
  },
  membership: membershipProcedures,
  partner: { ...partnerConsents, authenticate, registerUser, signIn, singleSignOn },
  partnerEvent: partnerEventProcedures,
  passkey: passkeyProcedures,
  password: { ...passwordProcedures, forgot, reset, set: setPassword },
  portal: { settings: portalSettings },
  profile: { update: updateProfile },
  recovery: { cancelMine: cancelMyRecovery },
  registration: { ...registrationProcedures, confirm, confirmationDetails, register },
  securityEvent: { listMine: listMySecurityEvents },
  role: roleProcedures,
  scim: scimProcedures,
  session: { ...sessionProcedures, accessToken: issueAccessToken },
  signIn: { ...signInProcedures, email: signInByEmail, requestEmail: requestSignInEmail },
  social: socialProcedures,
  sso: ssoProcedures,
  subscription: { current: currentOfAccount, list: listSubscriptions },
  subject: { remove: removeAccountSubject },
  takeover: takeoverProcedures,
  totp: totpProcedures,
  verification: verificationProcedures,
};

export const router = t.router(procedures);

/** The type from which typed clients are derived. */
export type MainRouter = typeof router;
