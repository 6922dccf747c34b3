import { VERSION } from '@gatehouse/auth-core';
import { accountPolicyProcedures } from '@gatehouse/features/account/manage-account-policy';
import {
  removeAccountAsStaff,
  restoreAccount,
  transferOwnershipAsStaff,
} from '@gatehouse/features/account/staff/change-account';
import { removeMembershipAsStaff, saveMembership } from '@gatehouse/features/account/staff/change-membership';
import { listMembersForStaff } from '@gatehouse/features/account/staff/list-account-members';
import {
  listAccountNamesForStaff,
  listAccountsForStaff,
  listMembersOfOwner,
  searchAccountsForStaff,
} from '@gatehouse/features/account/staff/reached-accounts';
import { removeMemberAsStaff } from '@gatehouse/features/account/staff/remove-member-as-staff';
import { restoreMemberAsStaff } from '@gatehouse/features/account/staff/restore-member-as-staff';
import { invitationProcedures } from '@gatehouse/features/account/staff/staff-invitations';
import { staffRoleProcedures } from '@gatehouse/features/account/staff/staff-roles';
import { platformApplicationProcedures } from '@gatehouse/features/application/staff/platform-application-procedures';
import { listAuditForStaff } from '@gatehouse/features/audit/staff/list-audit-for-staff';
import { listSecurityEventsOf } from '@gatehouse/features/audit/staff/list-security-events';
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
import { resourceProcedures } from '@gatehouse/features/authentication/staff/manage-resources';
import { byAuthToken, endFor, listFor } from '@gatehouse/features/authentication/staff/member-sessions';
import { recoveryProcedures } from '@gatehouse/features/authentication/staff/recovery-procedures';
import { extendTrialAsStaff } from '@gatehouse/features/billing/staff/extend-trial';
import { reconcileAccount } from '@gatehouse/features/billing/staff/reconcile-account';
import {
  listWebhooksForStaff,
  replayWebhookAsStaff,
  webhookDetail,
} from '@gatehouse/features/billing/staff/webhook-deliveries';
import { t } from '@gatehouse/features/core/context';
import { bearer } from '@gatehouse/features/deployment/bearer-check';
import { endpointsOfPartnersProcedures } from '@gatehouse/features/endpoint/staff/endpoints-of-partners';
import {
  platformDeliveryProcedures,
  platformEndpointProcedures,
} from '@gatehouse/features/endpoint/staff/platform-endpoint-procedures';
import { eventCatalogue } from '@gatehouse/features/event/list-events';
import { listAllEvents } from '@gatehouse/features/event/staff/list-all-events';
import {
  staffKeyProcedures,
  staffMachineProcedures,
} from '@gatehouse/features/machine/staff/staff-machine-procedures';
import { listMailsForStaff, retryMail } from '@gatehouse/features/mail/staff/staff-mails';
import { banMemberAsStaff, unbanMember, unlockMember } from '@gatehouse/features/member/staff/ban-member';
import {
  searchMembersForStaff,
  searchOwners,
} from '@gatehouse/features/member/staff/search-members-for-staff';
import { updateMember, updateProfileAsStaff } from '@gatehouse/features/member/staff/update-member';
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
import { platformSsoProcedures } from '@gatehouse/features/sso/staff/platform-sso-procedures';
import { staffSsoProcedures } from '@gatehouse/features/sso/staff/staff-sso-procedures';
import { accountPage } from '@gatehouse/features/staff/staff/account-page';
import { analyze } from '@gatehouse/features/staff/staff/analyze-conversations';
import { explainAccess } from '@gatehouse/features/staff/staff/explain-access';
import { beginExport } from '@gatehouse/features/staff/staff/export-list';
import { exportMember } from '@gatehouse/features/staff/staff/export-member';
import {
  listPersonnelForStaff,
  personnelDetail,
  searchManagers,
} from '@gatehouse/features/staff/staff/list-personnel-for-staff';
import {
  listReferralsForStaff,
  marketingUrl,
  saveAffiliate,
  searchAffiliatesForStaff,
} from '@gatehouse/features/staff/staff/manage-affiliates';
import {
  endImpersonationAsStaff,
  listImpersonationsForStaff,
} from '@gatehouse/features/staff/staff/manage-impersonations';
import { memberByForeignId } from '@gatehouse/features/staff/staff/member-by-foreign-id';
import { memberPage } from '@gatehouse/features/staff/staff/member-page';
import { promoteMember } from '@gatehouse/features/staff/staff/promote-member';
import { reinviteColleague } from '@gatehouse/features/staff/staff/reinvite-colleague';
import { savePersonnel } from '@gatehouse/features/staff/staff/save-personnel';
import { statistics } from '@gatehouse/features/staff/staff/service-statistics';
import { startImpersonation } from '@gatehouse/features/staff/staff/start-impersonation';
import { SERVICE_NAME } from './identity.js';

export type { Permission, StaffPermission } from '@gatehouse/auth-core';

/** All procedures of the admin service, one entry each. */
export const procedures = {
  access: { explain: explainAccess },
  account: {
    list: listAccountsForStaff,
    members: listMembersOfOwner,
    names: listAccountNamesForStaff,
    page: accountPage,
    remove: removeAccountAsStaff,
    restore: restoreAccount,
    search: searchAccountsForStaff,
    transferOwnership: transferOwnershipAsStaff,
  },
  accountPolicy: accountPolicyProcedures,
  affiliate: {
    marketingUrl,
    referrals: listReferralsForStaff,
    save: saveAffiliate,
    search: searchAffiliatesForStaff,
  },
  audit: { list: listAuditForStaff },
  event: { catalogue: eventCatalogue, list: listAllEvents },
  eventDelivery: platformDeliveryProcedures,
  eventEndpoint: platformEndpointProcedures,
  partnerEvent: endpointsOfPartnersProcedures,
  export: { begin: beginExport },
  factor: factorProcedures,
  health: { bearer: bearer({ name: SERVICE_NAME, version: VERSION }) },
  impersonation: {
    end: endImpersonationAsStaff,
    list: listImpersonationsForStaff,
    start: startImpersonation,
  },
  invitation: invitationProcedures,
  knowledge: { analyze },
  login: loginProcedures,
  key: staffKeyProcedures,
  machine: staffMachineProcedures,
  mail: { list: listMailsForStaff, retry: retryMail },
  member: {
    ban: banMemberAsStaff,
    byForeignId: memberByForeignId,
    export: exportMember,
    list: listMembersForStaff,
    owners: searchOwners,
    page: memberPage,
    remove: removeMemberAsStaff,
    restore: restoreMemberAsStaff,
    search: searchMembersForStaff,
    sendConfirmation,
    sendReset,
    unban: unbanMember,
    unlock: unlockMember,
    update: updateMember,
  },
  membership: { remove: removeMembershipAsStaff, save: saveMembership },
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
    list: listPersonnelForStaff,
    promote: promoteMember,
    reinvite: reinviteColleague,
    save: savePersonnel,
    searchManagers,
  },
  platformApp: platformApplicationProcedures,
  platformSso: platformSsoProcedures,
  profile: { update: updateProfileAsStaff },
  recovery: { ...recoveryProcedures, cancelMine: cancelMyRecovery },
  registration: registrationProcedures,
  resource: resourceProcedures,
  role: staffRoleProcedures,
  securityEvent: { listFor: listSecurityEventsOf },
  service: { statistics },
  session: { ...sessionProcedures, byAuthToken, endFor, listFor },
  signIn: signInProcedures,
  social: socialProcedures,
  staffSso: staffSsoProcedures,
  subscription: { extendTrial: extendTrialAsStaff, reconcile: reconcileAccount },
  totp: totpProcedures,
  verification: verificationProcedures,
  webhook: { detail: webhookDetail, list: listWebhooksForStaff, replay: replayWebhookAsStaff },
};

export const router = t.router(procedures);

/** The type from which typed clients are derived. */
export type AdminRouter = typeof router;
