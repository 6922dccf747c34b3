import { list as listAccounts } from '@gatehouse/features/account/staff/list';
import { members as accountMembers } from '@gatehouse/features/account/staff/members';
import { names as accountNames } from '@gatehouse/features/account/staff/names';
import { remove as removeAccount } from '@gatehouse/features/account/staff/remove';
import { restore as restoreAccount } from '@gatehouse/features/account/staff/restore';
import { search as searchAccounts } from '@gatehouse/features/account/staff/search';
import { transferOwnership } from '@gatehouse/features/account/staff/transfer-ownership';
import { accountPolicyProcedures } from '@gatehouse/features/account-policy/account-policy-procedures';
import { marketingUrl } from '@gatehouse/features/affiliate/staff/marketing-url';
import { referrals } from '@gatehouse/features/affiliate/staff/referrals';
import { save as saveAffiliate } from '@gatehouse/features/affiliate/staff/save';
import { search as searchAffiliates } from '@gatehouse/features/affiliate/staff/search';
import { t } from '@gatehouse/features/app/trpc';
import { list as listAudit } from '@gatehouse/features/audit/staff/list';
import { extendTrial } from '@gatehouse/features/billing/staff/extend-trial';
import { reconcile } from '@gatehouse/features/billing/staff/reconcile';
import { detail as webhookDetail } from '@gatehouse/features/billing/staff/webhook/detail';
import { list as listWebhooks } from '@gatehouse/features/billing/staff/webhook/list';
import { replay as replayWebhook } from '@gatehouse/features/billing/staff/webhook/replay';
import { restore as restoreMember } from '@gatehouse/features/deletion/staff/restore';
import { explain } from '@gatehouse/features/explain/staff/explain';
import { begin as beginExport } from '@gatehouse/features/export/staff/begin';
import { exportMember } from '@gatehouse/features/export/staff/export-member';
import { bearer } from '@gatehouse/features/health/bearer';
import { end as endImpersonation } from '@gatehouse/features/impersonation/staff/end';
import { list as listImpersonations } from '@gatehouse/features/impersonation/staff/list';
import { start as startImpersonation } from '@gatehouse/features/impersonation/staff/start';
import { invitationProcedures } from '@gatehouse/features/invitation/staff/invitation-procedures';
import { analyze } from '@gatehouse/features/knowledge/staff/analyze';
import { loginProcedures } from '@gatehouse/features/login/login-procedures';
import { list as listMails } from '@gatehouse/features/mail/staff/list';
import { retry as retryMail } from '@gatehouse/features/mail/staff/retry';
import { ban } from '@gatehouse/features/member/staff/ban';
import { list as listMembers } from '@gatehouse/features/member/staff/list';
import { owners } from '@gatehouse/features/member/staff/owners';
import { remove as removeMember } from '@gatehouse/features/member/staff/remove';
import { search as searchMembers } from '@gatehouse/features/member/staff/search';
import { unban } from '@gatehouse/features/member/staff/unban';
import { unlock } from '@gatehouse/features/member/staff/unlock';
import { update as updateMember } from '@gatehouse/features/member/staff/update';
import { remove as removeMembership } from '@gatehouse/features/membership/staff/remove';
import { save as saveMembership } from '@gatehouse/features/membership/staff/save';
import { accountPage } from '@gatehouse/features/overview/staff/account-page';
import { memberPage } from '@gatehouse/features/overview/staff/member-page';
import { consentProcedures } from '@gatehouse/features/partner/consent-procedures';
import { deactivate as deactivatePartner } from '@gatehouse/features/partner/staff/deactivate';
import { finishRotation } from '@gatehouse/features/partner/staff/finish-rotation';
import { list as listPartners } from '@gatehouse/features/partner/staff/list';
import { rotateSecret } from '@gatehouse/features/partner/staff/rotate-secret';
import { save as savePartner } from '@gatehouse/features/partner/staff/save';
import { passkeyProcedures } from '@gatehouse/features/passkey/passkey-procedures';
import { passwordProcedures } from '@gatehouse/features/password/password-procedures';
import { sendReset } from '@gatehouse/features/password/staff/send-reset';
import { detail as personnelDetail } from '@gatehouse/features/personnel/staff/detail';
import { list as listPersonnel } from '@gatehouse/features/personnel/staff/list';
import { promote } from '@gatehouse/features/personnel/staff/promote';
import { reinvite } from '@gatehouse/features/personnel/staff/reinvite';
import { save as savePersonnel } from '@gatehouse/features/personnel/staff/save';
import { searchManagers } from '@gatehouse/features/personnel/staff/search-managers';
import { update as updateProfile } from '@gatehouse/features/profile/staff/update';
import { cancelMine as cancelMyRecovery } from '@gatehouse/features/recovery/cancel-mine';
import { recoveryProcedures } from '@gatehouse/features/recovery/staff/recovery-procedures';
import { registrationProcedures } from '@gatehouse/features/registration/registration-procedures';
import { sendConfirmation } from '@gatehouse/features/registration/staff/send-confirmation';
import { factorProcedures, totpProcedures } from '@gatehouse/features/second-factor/second-factor-procedures';
import { listFor as listSecurityEventsFor } from '@gatehouse/features/security-event/staff/list-for';
import { sessionProcedures } from '@gatehouse/features/session/session-procedures';
import { byAuthToken } from '@gatehouse/features/session/staff/by-auth-token';
import { endFor } from '@gatehouse/features/session/staff/end-for';
import { listFor } from '@gatehouse/features/session/staff/list-for';
import { signInProcedures } from '@gatehouse/features/sign-in/sign-in-procedures';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { statistics } from '@gatehouse/features/statistics/staff/statistics';
import { verificationProcedures } from '@gatehouse/features/verification/verification-procedures';
import { SERVICE_NAME, SERVICE_VERSION } from './identity.js';

export type { Permission, StaffPermission } from '@gatehouse/auth-core';

/** All procedures of the admin service, one entry each. */
export const procedures = {
  access: { explain },
  account: {
    list: listAccounts,
    members: accountMembers,
    names: accountNames,
    page: accountPage,
    remove: removeAccount,
    restore: restoreAccount,
    search: searchAccounts,
    transferOwnership,
  },
  accountPolicy: accountPolicyProcedures,
  affiliate: { marketingUrl, referrals, save: saveAffiliate, search: searchAffiliates },
  audit: { list: listAudit },
  export: { begin: beginExport },
  factor: factorProcedures,
  health: { bearer: bearer({ name: SERVICE_NAME, version: SERVICE_VERSION }) },
  impersonation: { end: endImpersonation, list: listImpersonations, start: startImpersonation },
  invitation: invitationProcedures,
  knowledge: { analyze },
  login: loginProcedures,
  mail: { list: listMails, retry: retryMail },
  member: {
    ban,
    export: exportMember,
    list: listMembers,
    owners,
    page: memberPage,
    remove: removeMember,
    restore: restoreMember,
    search: searchMembers,
    sendConfirmation,
    sendReset,
    unban,
    unlock,
    update: updateMember,
  },
  membership: { remove: removeMembership, save: saveMembership },
  partner: {
    ...consentProcedures,
    deactivate: deactivatePartner,
    finishRotation,
    list: listPartners,
    rotateSecret,
    save: savePartner,
  },
  passkey: passkeyProcedures,
  password: passwordProcedures,
  personnel: {
    detail: personnelDetail,
    list: listPersonnel,
    promote,
    reinvite,
    save: savePersonnel,
    searchManagers,
  },
  profile: { update: updateProfile },
  recovery: { ...recoveryProcedures, cancelMine: cancelMyRecovery },
  registration: registrationProcedures,
  securityEvent: { listFor: listSecurityEventsFor },
  service: { statistics },
  session: { ...sessionProcedures, byAuthToken, endFor, listFor },
  signIn: signInProcedures,
  social: socialProcedures,
  subscription: { extendTrial, reconcile },
  totp: totpProcedures,
  verification: verificationProcedures,
  webhook: { detail: webhookDetail, list: listWebhooks, replay: replayWebhook },
};

export const router = t.router(procedures);

/** The type from which typed clients are derived. */
export type AdminRouter = typeof router;
