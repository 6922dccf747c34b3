import { accountPolicyProcedures } from '@gatehouse/features/account/account-policy/account-policy-procedures';
import { restore as restoreMember } from '@gatehouse/features/account/deletion/staff/restore';
import { invitationProcedures } from '@gatehouse/features/account/invitation/staff/invitation-procedures';
import { list as listMembers } from '@gatehouse/features/account/member/staff/list';
import { remove as removeMember } from '@gatehouse/features/account/member/staff/remove';
import { remove as removeMembership } from '@gatehouse/features/account/membership/staff/remove';
import { save as saveMembership } from '@gatehouse/features/account/membership/staff/save';
import { list as listAccounts } from '@gatehouse/features/account/staff/list';
import { members as accountMembers } from '@gatehouse/features/account/staff/members';
import { names as accountNames } from '@gatehouse/features/account/staff/names';
import { remove as removeAccount } from '@gatehouse/features/account/staff/remove';
import { restore as restoreAccount } from '@gatehouse/features/account/staff/restore';
import { search as searchAccounts } from '@gatehouse/features/account/staff/search';
import { transferOwnership } from '@gatehouse/features/account/staff/transfer-ownership';
import { listFor as listSecurityEventsFor } from '@gatehouse/features/audit/security-event/staff/list-for';
import { list as listAudit } from '@gatehouse/features/audit/staff/list';
import {
  factorProcedures,
  loginProcedures,
  passkeyProcedures,
  sessionProcedures,
  signInProcedures,
  totpProcedures,
  verificationProcedures,
} from '@gatehouse/features/authentication/authentication-procedures';
import { cancelMine as cancelMyRecovery } from '@gatehouse/features/authentication/recovery/cancel-recovery';
import { byAuthToken, endFor, listFor } from '@gatehouse/features/authentication/staff/member-sessions';
import { recoveryProcedures } from '@gatehouse/features/authentication/staff/recovery-procedures';
import { extendTrial } from '@gatehouse/features/billing/staff/extend-trial';
import { reconcile } from '@gatehouse/features/billing/staff/reconcile';
import { detail as webhookDetail } from '@gatehouse/features/billing/staff/webhook/detail';
import { list as listWebhooks } from '@gatehouse/features/billing/staff/webhook/list';
import { replay as replayWebhook } from '@gatehouse/features/billing/staff/webhook/replay';
import { t } from '@gatehouse/features/core/context';
import { bearer } from '@gatehouse/features/deployment/health/bearer';
import { list as listMails } from '@gatehouse/features/mail/staff/list';
import { retry as retryMail } from '@gatehouse/features/mail/staff/retry';
import { update as updateProfile } from '@gatehouse/features/member/profile/staff/update';
import { ban } from '@gatehouse/features/member/staff/ban';
import { owners } from '@gatehouse/features/member/staff/owners';
import { search as searchMembers } from '@gatehouse/features/member/staff/search';
import { unban } from '@gatehouse/features/member/staff/unban';
import { unlock } from '@gatehouse/features/member/staff/unlock';
import { update as updateMember } from '@gatehouse/features/member/staff/update';
import { consentProcedures } from '@gatehouse/features/partner/consent-procedures';
import {
  deactivate as deactivatePartner,
  finishRotation,
  list as listPartners,
  rotateSecret,
  save as savePartner,
} from '@gatehouse/features/partner/staff/partner-administration';
import {
  passwordProcedures,
  registrationProcedures,
} from '@gatehouse/features/registration/registration-procedures';
import { sendConfirmation, sendReset } from '@gatehouse/features/registration/staff/send-member-mails';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { marketingUrl } from '@gatehouse/features/staff/affiliate/staff/marketing-url';
import { referrals } from '@gatehouse/features/staff/affiliate/staff/referrals';
import { save as saveAffiliate } from '@gatehouse/features/staff/affiliate/staff/save';
import { search as searchAffiliates } from '@gatehouse/features/staff/affiliate/staff/search';
import { explain } from '@gatehouse/features/staff/explain/staff/explain';
import { begin as beginExport } from '@gatehouse/features/staff/export/staff/begin';
import { exportMember } from '@gatehouse/features/staff/export/staff/export-member';
import { end as endImpersonation } from '@gatehouse/features/staff/impersonation/staff/end';
import { list as listImpersonations } from '@gatehouse/features/staff/impersonation/staff/list';
import { start as startImpersonation } from '@gatehouse/features/staff/impersonation/staff/start';
import { analyze } from '@gatehouse/features/staff/knowledge/staff/analyze';
import { accountPage } from '@gatehouse/features/staff/overview/staff/account-page';
import { memberPage } from '@gatehouse/features/staff/overview/staff/member-page';
import { detail as personnelDetail } from '@gatehouse/features/staff/personnel/staff/detail';
import { list as listPersonnel } from '@gatehouse/features/staff/personnel/staff/list';
import { promote } from '@gatehouse/features/staff/personnel/staff/promote';
import { reinvite } from '@gatehouse/features/staff/personnel/staff/reinvite';
import { save as savePersonnel } from '@gatehouse/features/staff/personnel/staff/save';
import { searchManagers } from '@gatehouse/features/staff/personnel/staff/search-managers';
import { statistics } from '@gatehouse/features/staff/statistics/staff/statistics';
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
