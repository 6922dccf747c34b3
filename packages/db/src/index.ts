export { backUpFile, type WrittenBackup } from './backup/back-up-file.js';
export { BackupError } from './backup/backup-error.js';
export { embeddedPath } from './backup/embedded-path.js';
export { type RestoredFile, restoreFile } from './backup/restore-file.js';
export { CommitUnknownError } from './commit-unknown-error.js';
export type { Database, DatabaseStatistics, Dialect, WriteStatement } from './database.js';
export { DatabaseUnavailableError, type UnavailableReason } from './database-unavailable-error.js';
export { mysqlConnectionOptions } from './dialect/mysql/mysql-connection-options.js';
export type { TraceStatement } from './dialect/traced-driver.js';
export { DuplicateKeyError } from './duplicate-key-error.js';
export { explainUnavailable } from './explain-unavailable.js';
export { isOutage } from './is-outage.js';
export { EarlierTablesError } from './migration/apply-migrations.js';
export type { MigrationReport } from './migration/migration-report.js';
export { openDatabase } from './open-database.js';
export type { OpenOptions } from './open-options.js';
export type { AccessTransaction } from './queries/access/access-transaction.js';
export { ENDLESS_MS, isActiveAt, isArchived, isBanned } from './queries/access/ban-columns.js';
export { type AccessChangeSubjects, changeAccess } from './queries/access/change-access.js';
export {
  changeStaffStanding,
  type StaffStanding,
  type StaffTransaction,
} from './queries/access/change-staff-standing.js';
export { type AccessSnapshotRow, findAccessSnapshot } from './queries/access/find-access-snapshot.js';
export {
  type AccountState,
  type CustomRoleRow,
  findAccountState,
} from './queries/access/find-account-state.js';
export { findAccountStates } from './queries/access/find-account-states.js';
export {
  findTokenState,
  type KnownImpersonation,
  type SessionState,
  type TokenState,
} from './queries/access/find-token-state.js';
export { isProven } from './queries/access/is-proven.js';
export {
  ACCESS_CHANGE_PAGE,
  type AccessChange,
  listAccessChanges,
} from './queries/access/list-access-changes.js';
export { listChangesSinceCheckpoint } from './queries/access/list-changes-since-checkpoint.js';
export { lockAccountRows } from './queries/access/lock-account-rows.js';
export { type LockedMember, lockMember } from './queries/access/lock-member.js';
export { lockMemberRow } from './queries/access/lock-member-row.js';
export { lockReach } from './queries/access/lock-reach.js';
export type { LockMode } from './queries/access/lock-rows.js';
export { lockToken } from './queries/access/lock-token.js';
export type { ListedMember, MemberPlace, MemberRow } from './queries/access/member-columns.js';
export { missingIds } from './queries/access/missing-ids.js';
export { proveOwner } from './queries/access/prove-owner.js';
export { settleAccessChanges } from './queries/access/settle-access-changes.js';
export { countOwnedAccounts, hasHadTrial } from './queries/account/count-accounts-of.js';
export {
  type EndingAccount,
  eraseAccount,
  listDueEndings,
  listUntoldEndings,
  setErasureTold,
} from './queries/account/erase-account.js';
export { type AccountDetail, findAccount } from './queries/account/find-account.js';
export { insertAccount } from './queries/account/insert-account.js';
export { type AccountRow, countAccounts, listAccounts } from './queries/account/list-accounts.js';
export { listLiveAccountIds } from './queries/account/list-live-account-ids.js';
export { listOwnAccounts } from './queries/account/list-own-accounts.js';
export { listOwnerlessAccounts } from './queries/account/list-ownerless-accounts.js';
export { hasOtherMembers, listOwnersOfAccount } from './queries/account/list-people-of-account.js';
export { listPrimaryAccounts } from './queries/account/list-primary-accounts.js';
export { readAccountOverview } from './queries/account/read-account-overview.js';
export { reopenAccount } from './queries/account/reopen-account.js';
export { type FoundAccount, searchAccounts } from './queries/account/search-accounts.js';
export type { AccountOverview } from './queries/account/select-account-overview.js';
export { setAccountName } from './queries/account/set-account-name.js';
export { setAccountOwner } from './queries/account/set-account-owner.js';
export { shutAccount } from './queries/account/shut-account.js';
export { writeAccountRows } from './queries/account/write-account-rows.js';
export {
  type AccountPolicy,
  countFactorsOf,
  type FactorsOfAccount,
  listAccountsAbove,
  setAccountPolicy,
} from './queries/account-policy/account-policy.js';
export type { AffiliateRow } from './queries/affiliate/affiliate-columns.js';
export { findAffiliate } from './queries/affiliate/find-affiliate.js';
export { type AffiliateTerms, insertAffiliate } from './queries/affiliate/insert-affiliate.js';
export { insertReferral } from './queries/affiliate/insert-referral.js';
export { countReferrals, listReferrals, type ReferralRow } from './queries/affiliate/list-referrals.js';
export { searchAffiliates } from './queries/affiliate/search-affiliates.js';
export { setAffiliate } from './queries/affiliate/set-affiliate.js';
export { ARCHIVED, ARCHIVED_LABEL } from './queries/archived.js';
export { findOldestAudit } from './queries/audit/find-oldest-audit.js';
export { findOrInsertMemberKey } from './queries/audit/find-or-insert-member-key.js';
export { type AuditEntry, insertAudit } from './queries/audit/insert-audit.js';
export { type AuditFilter, type AuditRow, listAudit } from './queries/audit/list-audit.js';
export { listMemberKeys } from './queries/audit/list-member-keys.js';
export { listStaleMemberKeys } from './queries/audit/list-stale-member-keys.js';
export { removeAudit } from './queries/audit/remove-audit.js';
export { setMemberKey } from './queries/audit/set-member-key.js';
export {
  expireTrials,
  findImportedSubscription,
  findSubscription,
  listEndedTrialsWithSubscriptions,
  openSubscription,
  type SubscriptionRow,
  setSubscription,
  setTrial,
} from './queries/billing/account-subscription.js';
export {
  type BillingCheckoutRow,
  type CheckoutLease,
  closeBillingCheckout,
  findBillingCheckout,
  leaseBillingCheckout,
  leaseClosingCheckout,
  type OpenCheckout,
  releaseBillingCheckout,
  releaseClosingCheckout,
  setOpenCheckout,
} from './queries/billing/billing-checkout.js';
export {
  type AccountCustomer,
  type BillingCustomerRow,
  findCustomerAccount,
  listAccountCustomers,
  openBillingCustomer,
  setBillingCustomer,
} from './queries/billing/billing-customer.js';
export {
  type BillingSubscriptionRow,
  listAccountSubscriptions,
  listBillingSubscriptions,
  listCustomerSubscriptions,
  listPaidSubscriptions,
  openBillingSubscription,
  setBillingSubscription,
} from './queries/billing/billing-subscription.js';
export { type ClaimedWebhook, claimWebhooks } from './queries/billing/claim-webhooks.js';
export { countRejectedWebhooks } from './queries/billing/count-rejected-webhooks.js';
export { countWebhookBacklog } from './queries/billing/count-webhook-backlog.js';
export { findWebhook, type WebhookWithBody } from './queries/billing/find-webhook.js';
export { finishWebhook, postponeWebhook } from './queries/billing/finish-webhook.js';
export { insertWebhook, type NewWebhook } from './queries/billing/insert-webhook.js';
export { listWebhooks } from './queries/billing/list-webhooks.js';
export {
  countWebhooksOfAccount,
  listWebhooksOfAccount,
} from './queries/billing/list-webhooks-of-account.js';
export {
  leaseReconciliation,
  listImportedSubscriptions,
  listKnownSubscriptions,
  listUnreportedRenewals,
  type PaidSubscription,
} from './queries/billing/reconcile-subscriptions.js';
export { removeSpentWebhooks } from './queries/billing/remove-spent-webhooks.js';
export { replayWebhook } from './queries/billing/replay-webhook.js';
export { listWebhookBodies, setWebhookBody, type WebhookBody } from './queries/billing/webhook-bodies.js';
export type { WebhookRow } from './queries/billing/webhook-columns.js';
export { hasConversation } from './queries/conversation/has-conversation.js';
export { isParticipant } from './queries/conversation/is-participant.js';
export { type ConversationRow, listConversations } from './queries/conversation/list-conversations.js';
export type { Participant } from './queries/conversation/list-first-participants.js';
export { listMessages, type MessageRow } from './queries/conversation/list-messages.js';
export {
  DEMONSTRATION_GRANTS,
  DEMONSTRATION_MEMBERSHIPS,
  DEMONSTRATION_PEOPLE,
  type DemonstrationPerson,
} from './queries/demonstration/demonstration-people.js';
export {
  type DemonstrationSecrets,
  moveDemonstrationPartner,
  seedDemonstration,
} from './queries/demonstration/seed-demonstration.js';
export { listWithheldAccounts, OWN_RECORDS, type OwnRecord } from './queries/export/own-records.js';
export {
  findImpersonation,
  type ImpersonationRow,
  listImpersonations,
} from './queries/impersonation/find-impersonation.js';
export { endImpersonation, insertImpersonation } from './queries/impersonation/insert-impersonation.js';
export { createImportForecast, type ImportForecast } from './queries/import/create-import-forecast.js';
export { type ImportedAccount, importAccounts } from './queries/import/import-accounts.js';
export { type ImportedGrant, importGrants } from './queries/import/import-grants.js';
export { type ImportedMember, importMembers } from './queries/import/import-members.js';
export { type ImportedMembership, importMemberships } from './queries/import/import-memberships.js';
export type { ImportOutcome } from './queries/import/import-outcome.js';
export { type ImportedSubscription, importSubscriptions } from './queries/import/import-subscriptions.js';
export { hasLaterInvitation } from './queries/invitation/answerable.js';
export { countOpenInvitations } from './queries/invitation/count-open-invitations.js';
export { endInvitation } from './queries/invitation/end-invitation.js';
export { findInvitation } from './queries/invitation/find-invitation.js';
export { findOpenInvitation } from './queries/invitation/find-open-invitation.js';
export { insertInvitation } from './queries/invitation/insert-invitation.js';
export type { InvitationRow } from './queries/invitation/invitation-columns.js';
export { isAddressOfAccount } from './queries/invitation/is-address-of-account.js';
export {
  countInvitations,
  findListedInvitation,
  type InvitationFilter,
  type ListedInvitation,
  listInvitations,
} from './queries/invitation/list-invitations.js';
export {
  findReceivedInvitation,
  listInvitationsTo,
  type ReceivedInvitation,
} from './queries/invitation/list-invitations-to.js';
export { lockInvitation } from './queries/invitation/lock-invitation.js';
export { renewInvitation } from './queries/invitation/renew-invitation.js';
export { revokeInvitations } from './queries/invitation/revoke-invitations.js';
export { consumeLimit, type PointLimit } from './queries/limits/consume-limit.js';
export { findLimit } from './queries/limits/find-limit.js';
export { refundLimit } from './queries/limits/refund-limit.js';
export { removeLimits } from './queries/limits/remove-limits.js';
export { findLastIds, type LastIds } from './queries/load/find-last-ids.js';
export { consumeOneTimePassword } from './queries/login/consume-one-time-password.js';
export { consumeOneTimePasswordAttempt } from './queries/login/consume-one-time-password-attempt.js';
export { countLockedHolders } from './queries/login/count-locked-holders.js';
export { endLoginFailures } from './queries/login/end-login-failures.js';
export { type Credential, findCredential } from './queries/login/find-credential.js';
export { findCredentialById } from './queries/login/find-credential-by-id.js';
export { findLoginFailures } from './queries/login/find-login-failures.js';
export {
  insertOneTimePassword,
  type NewOneTimePassword,
} from './queries/login/insert-one-time-password.js';
export { isFamiliarOrigin } from './queries/login/is-familiar-origin.js';
export {
  findNewestOneTimePassword,
  listOpenOneTimePasswords,
  type OpenOneTimePassword,
} from './queries/login/list-one-time-passwords.js';
export { recordFamiliarOrigin, recordFamiliarOrigins } from './queries/login/record-familiar-origin.js';
export {
  type FailureCounter,
  type FailureWait,
  recordLoginFailure,
} from './queries/login/record-login-failure.js';
export { removeLoginFailure } from './queries/login/remove-login-failure.js';
export { removeOldLoginFailures } from './queries/login/remove-old-login-failures.js';
export { removeOldOneTimePasswords } from './queries/login/remove-old-one-time-passwords.js';
export { claimMails } from './queries/mail/claim-mails.js';
export { countMailBacklog } from './queries/mail/count-mail-backlog.js';
export { findMail } from './queries/mail/find-mail.js';
export { findMailReader, type MailReader } from './queries/mail/find-mail-reader.js';
export { findMailTrouble } from './queries/mail/find-mail-trouble.js';
export { insertMail, type NewMail } from './queries/mail/insert-mail.js';
export { listDeadMails } from './queries/mail/list-dead-mails.js';
export {
  findListedMail,
  type ListedMail,
  listMails,
} from './queries/mail/list-mails.js';
export { listNewestMails } from './queries/mail/list-newest-mails.js';
export { listWaitingMails } from './queries/mail/list-waiting-mails.js';
export type { MailRow } from './queries/mail/mail-columns.js';
export { lockMergedMail, setMergedMail } from './queries/mail/merged-mail.js';
export { removeOldMails } from './queries/mail/remove-old-mails.js';
export { setMailDue } from './queries/mail/set-mail-due.js';
export { type MailOutcome, setMailOutcome } from './queries/mail/set-mail-outcome.js';
export { countMembersOfAccount } from './queries/member/count-members-of-account.js';
export { deleteOwnMember } from './queries/member/delete-own-member.js';
export { endMemberAccess } from './queries/member/end-member-access.js';
export {
  type DueMember,
  eraseMember,
  listDueMembers,
} from './queries/member/erase-member.js';
export { type BanDetail, banDetails, findBan } from './queries/member/find-ban.js';
export { findDeletedMember } from './queries/member/find-deleted-member.js';
export { findMember, type MemberDetail } from './queries/member/find-member.js';
export { findMemberAddress, type MemberAddress } from './queries/member/find-member-address.js';
export { findMemberByAddress } from './queries/member/find-member-by-address.js';
export { findMemberByAuthToken } from './queries/member/find-member-by-auth-token.js';
export { findReturningHolder, type ReturningHolder } from './queries/member/find-returning-holder.js';
export {
  listAccountMembers,
  listMembershipRowsOf,
  type MembershipRow,
} from './queries/member/list-account-members.js';
export { listMemberIds, type MemberIdPage } from './queries/member/list-member-ids.js';
export { listMemberNames, type MemberName } from './queries/member/list-member-names.js';
export { listMemberStandings, type MemberStanding } from './queries/member/list-member-standings.js';
export { listMembers } from './queries/member/list-members.js';
export type { AccountMemberRow } from './queries/member/list-members-of-account.js';
export type { NameCursor } from './queries/member/list-named-members.js';
export { listOwners, type OwnerRow } from './queries/member/list-owners.js';
export type { PeopleSearch } from './queries/member/match-people.js';
export { type MemberStatus, statusOf } from './queries/member/member-status.js';
export { indexLastNames } from './queries/member/name-search/index-last-names.js';
export { indexMemberNames } from './queries/member/name-search/index-member-names.js';
export { indexNewNames } from './queries/member/name-search/index-new-names.js';
export { insertNameParts } from './queries/member/name-search/insert-name-parts.js';
export { removeLeavingMember, removeMember } from './queries/member/remove-member.js';
export { isRestorable, listAccountsClosedWith, restoreMember } from './queries/member/restore-member.js';
export { type FoundMember, searchMembers } from './queries/member/search-members.js';
export { countPeople, searchPeople } from './queries/member/search-people.js';
export type { MemberOverview } from './queries/member/select-member-overview.js';
export { type Ban, setBan, setBannedRole } from './queries/member/set-ban.js';
export { type MemberProfile, setMemberProfile } from './queries/member/set-member-profile.js';
export { setMemberRole } from './queries/member/set-member-role.js';
export {
  listAddressHolders,
  listDoubtfulAddresses,
  respellAddresses,
  type StoredAddresses,
} from './queries/member/stored-addresses.js';
export { type TakenOver, type TakeOver, takeMemberOver } from './queries/member/take-member-over.js';
export { findMembership } from './queries/membership/find-membership.js';
export { findPlace } from './queries/membership/find-place.js';
export { hasPlaceAmong } from './queries/membership/has-place-among.js';
export { type AwayPlace, listAwayPlaces } from './queries/membership/list-away-places.js';
export { listLiveMemberships } from './queries/membership/list-live-memberships.js';
export { listOwnedAccountIds } from './queries/membership/list-owned-account-ids.js';
export type { MemberScope } from './queries/membership/member-scope.js';
export { removeMembership } from './queries/membership/remove-membership.js';
export {
  findReturningPlace,
  listReturningPlaces,
  type ReturningPlace,
  removeReturningPlace,
} from './queries/membership/returning-places.js';
export { countPlaces, type PlaceRow } from './queries/membership/select-places.js';
export { setMembership } from './queries/membership/set-membership.js';
export { sharesAccount } from './queries/membership/shares-account.js';
export {
  suspendPlacesInClosedAccounts,
  suspendReturningPlaces,
} from './queries/membership/suspend-returning-places.js';
export { readMemberOverview } from './queries/overview/read-member-overview.js';
export { deactivatePartner } from './queries/partner/deactivate-partner.js';
export { findLinkableMember } from './queries/partner/find-linkable-member.js';
export { findNewestPartnerSecret } from './queries/partner/find-newest-partner-secret.js';
export { findPartner } from './queries/partner/find-partner.js';
export { findPartnerCredential, type PartnerCredential } from './queries/partner/find-partner-credential.js';
export { findPartnerMember, type PartnerMember } from './queries/partner/find-partner-member.js';
export { findPartnerOfToken, type PartnerTokenClaim } from './queries/partner/find-partner-of-token.js';
export { findPartnerState, type PartnerState } from './queries/partner/find-partner-state.js';
export { insertPartner } from './queries/partner/insert-partner.js';
export { insertPartnerMember } from './queries/partner/insert-partner-member.js';
export { insertPartnerSecret } from './queries/partner/insert-partner-secret.js';
export { listPartnerAccountIds } from './queries/partner/list-partner-account-ids.js';
export { type ListedPartner, listPartners } from './queries/partner/list-partners.js';
export {
  countPartnersOfMember,
  listHeldPartners,
  listPartnersOfMember,
  type PartnerOfMember,
} from './queries/partner/list-partners-of-member.js';
export { lockPartner } from './queries/partner/lock-partner.js';
export type { PartnerRow } from './queries/partner/partner-columns.js';
export { endPartnerLink, hasPartnerLink, releasePartnerLink } from './queries/partner/partner-link.js';
export type { PartnerName } from './queries/partner/partner-name.js';
export { recordPartnerUse } from './queries/partner/record-partner-use.js';
export { removePartnerSecrets } from './queries/partner/remove-partner-secrets.js';
export { type AccountPartnerOutcome, setAccountPartner } from './queries/partner/set-account-partner.js';
export { setPartner } from './queries/partner/set-partner.js';
export { setPartnerConsent } from './queries/partner/set-partner-consent.js';
export { setPartnerSecret } from './queries/partner/set-partner-secret.js';
export {
  countForeignPasskeys,
  findPasskeyByKey,
  findPasskeyUserId,
  insertPasskey,
  listPasskeys,
  type NewPasskey,
  type Passkey,
  type PasskeyUse,
  removePasskey,
  removePasskeysOf,
  setPasskeyName,
  setPasskeySuspect,
  setPasskeyUserId,
  usePasskeyOfOneDevice,
  useSyncedPasskey,
} from './queries/passkey/passkeys.js';
export { countImportedHashes } from './queries/password/count-imported-hashes.js';
export { findMostPasswordRounds } from './queries/password/find-most-password-rounds.js';
export { listImportedHashes } from './queries/password/list-imported-hashes.js';
export { recordListedPassword } from './queries/password/record-listed-password.js';
export { type PasswordReset, resetPassword } from './queries/password/reset-password.js';
export { setPassword } from './queries/password/set-password.js';
export { setPasswordHash } from './queries/password/set-password-hash.js';
export {
  countUnknownPasswords,
  declarePlainPasswords,
  listUnknownPasswords,
} from './queries/password/unknown-passwords.js';
export { endUnprovenSignIns } from './queries/personnel/end-unproven-sign-ins.js';
export { findInvitedPersonnel, type InvitedPersonnel } from './queries/personnel/find-invited-personnel.js';
export { findPersonnel } from './queries/personnel/find-personnel.js';
export { insertPersonnel, type NewPersonnel } from './queries/personnel/insert-personnel.js';
export { listGrantsOfStaff, listPersonnel } from './queries/personnel/list-personnel.js';
export {
  countPersonnelGrants,
  listGrantedAccountIds,
  listPersonnelGrants,
  type PersonnelGrantRow,
} from './queries/personnel/list-personnel-grants.js';
export { listAdministrators, lockAdministrators } from './queries/personnel/lock-administrators.js';
export { removePersonnelGrant } from './queries/personnel/remove-personnel-grant.js';
export { countRootStaff, listRootStaff, type RootStaff } from './queries/personnel/root-staff.js';
export { searchManagers } from './queries/personnel/search-managers.js';
export {
  type AccountGrantRow,
  countGrantsOfAccount,
} from './queries/personnel/select-grants-of-account.js';
export { setInvitedAddress } from './queries/personnel/set-invited-address.js';
export { setPersonnelGrant } from './queries/personnel/set-personnel-grant.js';
export { setPersonnelState } from './queries/personnel/set-personnel-state.js';
export {
  findFormerAddress,
  insertFormerAddress,
  removeFormerAddresses,
} from './queries/recovery/former-address.js';
export {
  approveRecovery,
  consumeRecoveryTicket,
  countRecoveriesSince,
  endRecovery,
  findOpenRecovery,
  findRecovery,
  findRecoveryByTicket,
  insertRecovery,
  listDueRecoveries,
  listOverRecoveries,
  listRecoveries,
  type NewRecovery,
  type RecoveryRow,
  setRecoveryTicket,
} from './queries/recovery/recovery.js';
export { endRecoverySessions, releaseRecoverySessions } from './queries/recovery/recovery-sessions.js';
export {
  findNewestSecurityEvent,
  hasSecurityEventAfter,
  ownsAnAccount,
} from './queries/recovery/recovery-subject.js';
export {
  type AgreedLater,
  agreeLater,
  dropAgreement,
  listAgreedLater,
} from './queries/registration/agreed-change.js';
export { clearPendingAddress } from './queries/registration/clear-pending-address.js';
export { confirmAddress } from './queries/registration/confirm-address.js';
export { consumePendingAddress } from './queries/registration/consume-pending-address.js';
export { type EnrolmentRows, insertEnrolment } from './queries/registration/insert-enrolment.js';
export { insertMember, type NewMember } from './queries/registration/insert-member.js';
export { setPendingAddress } from './queries/registration/set-pending-address.js';
export { setPendingAwaits } from './queries/registration/set-pending-awaits.js';
export {
  MAIL_OF_BEFORE,
  type RestoreChoice,
  type SettledRestore,
  settleRestored,
} from './queries/restore/settle-restored.js';
export { pruneAccessChanges } from './queries/retention/prune-access-changes.js';
export { readDatabaseTime } from './queries/retention/read-database-time.js';
export { type Expiry, removeExpiredRows } from './queries/retention/remove-expired-rows.js';
export { insertCustomRole } from './queries/role/insert-custom-role.js';
export { isRoleInUse, removeCustomRole } from './queries/role/remove-custom-role.js';
export { setCustomRole } from './queries/role/set-custom-role.js';
export {
  consumeBackupCode,
  hasBackupCode,
  removeBackupCodes,
  replaceBackupCodes,
} from './queries/second-factor/backup-code.js';
export {
  consumeEnrolmentTicket,
  endEnrolmentTickets,
  findEnrolmentTicket,
  insertEnrolmentTicket,
  type NewEnrolmentTicket,
} from './queries/second-factor/enrolment-ticket.js';
export {
  consumeMailedCode,
  consumeMailedCodeAttempt,
  insertMailedCode,
  listOpenMailedCodes,
  type NewMailedCode,
  type OpenMailedCode,
} from './queries/second-factor/mailed-code.js';
export {
  findMemberFactors,
  type MemberFactors,
  setMemberFactors,
} from './queries/second-factor/member-factors.js';
export {
  consumeChallengeAttempt,
  consumeSignInChallenge,
  findSignInChallenge,
  insertSignInChallenge,
  type SignInChallenge,
} from './queries/second-factor/sign-in-challenge.js';
export {
  confirmTotp,
  consumeTotpStep,
  findTotpFactor,
  listStaleTotps,
  removeTotp,
  setPendingTotp,
  setTotpSecrets,
  type TotpSecrets,
} from './queries/second-factor/totp-factor.js';
export { insertSecurityEvent } from './queries/security-event/insert-security-event.js';
export {
  listSecurityEvents,
  type SecurityEventRow,
} from './queries/security-event/list-security-events.js';
export { recordRefusedLogin } from './queries/security-event/record-refused-login.js';
export { removeOldSecurityEvents } from './queries/security-event/remove-old-security-events.js';
export { consumeToken, isTokenConsumed } from './queries/session/consume-token.js';
export { endAllSessions, type KeptSession } from './queries/session/end-all-sessions.js';
export { endSession } from './queries/session/end-session.js';
export { endSessionById } from './queries/session/end-session-by-id.js';
export { findFirstAccountId } from './queries/session/find-first-account-id.js';
export { findOpenSession } from './queries/session/find-open-session.js';
export { findSessionKey, type SessionKey } from './queries/session/find-session-key.js';
export { findSessionsEnd } from './queries/session/find-sessions-end.js';
export { keepSessionAwake } from './queries/session/keep-session-awake.js';
export { listNewestSignIns, type NewestSignIn } from './queries/session/list-newest-sign-ins.js';
export { listRecentSessions, type RecentSession } from './queries/session/list-recent-sessions.js';
export { countSessions, listSessions, type SessionRow } from './queries/session/list-sessions.js';
export { findSuccessor, refreshSession, type Successor } from './queries/session/refresh-session.js';
export { renameSession } from './queries/session/rename-session.js';
export { setAuthToken } from './queries/session/set-auth-token.js';
export { setSessionVerified } from './queries/session/set-session-verified.js';
export { setSessionsUnverified } from './queries/session/set-sessions-unverified.js';
export { type NewSession, startSession } from './queries/session/start-session.js';
export { touchSessions } from './queries/session/touch-sessions.js';
export { SLOT_MS, slotOf } from './queries/slot.js';
export { type ClaimedConnection, claimConnection } from './queries/social/claim-connection.js';
export type { ConnectionRow } from './queries/social/connection-columns.js';
export type { ConnectionContent } from './queries/social/connection-content.js';
export { consumeSocialState, type TakenSocialState } from './queries/social/consume-social-state.js';
export { findConnection } from './queries/social/find-connection.js';
export { type DeletionRequestRow, findDeletionRequest } from './queries/social/find-deletion-request.js';
export { hasAnyConnection, hasConnection } from './queries/social/has-connection.js';
export { insertConnection } from './queries/social/insert-connection.js';
export { insertSocialState, type NewSocialState } from './queries/social/insert-social-state.js';
export { countConnections, listConnections } from './queries/social/list-connections.js';
export { listDueConnections } from './queries/social/list-due-connections.js';
export { listStaleConnections, type StoredTokens } from './queries/social/list-stale-connections.js';
export { lockActiveMember } from './queries/social/lock-active-member.js';
export { lockJoinableMember } from './queries/social/lock-joinable-member.js';
export { recordDeletion } from './queries/social/record-deletion.js';
export { removeConnection } from './queries/social/remove-connection.js';
export { removeExpiredSocialStates } from './queries/social/remove-expired-social-states.js';
export { removeIdentity } from './queries/social/remove-identity.js';
export type { ConnectionSummary } from './queries/social/select-connection-summaries.js';
export { setConnectionContent } from './queries/social/set-connection-content.js';
export { type RenewalOutcome, setRenewalOutcome } from './queries/social/set-renewal-outcome.js';
export { setStoredTokens } from './queries/social/set-stored-tokens.js';
export {
  isYoungerThanPassword,
  listYoungerConnections,
  removeConnections,
} from './queries/social/younger-connections.js';
export { countLogins } from './queries/statistics/count-logins.js';
export { countSeenMembers, forgetSeenMember } from './queries/statistics/count-seen-members.js';
export { countSignUps } from './queries/statistics/count-sign-ups.js';
export {
  type CountedRange,
  countSeenSince,
  listServiceNodes,
  type SlotRun,
  sumCounters,
  sumGauges,
} from './queries/statistics/read-statistics.js';
export { removeOldCounters } from './queries/statistics/remove-old-counters.js';
export { reportNode } from './queries/statistics/report-node.js';
export { setGauges } from './queries/statistics/set-gauges.js';
export { removeSubject } from './queries/subject/remove-subject.js';
export {
  findDecidableMembership,
  type HeldMembership,
  listHeldMemberships,
  settleHeldMembership,
} from './queries/takeover/held-memberships.js';
export { lockPlantedAccounts } from './queries/takeover/lock-planted-accounts.js';
export { findMysqlAccount, type MysqlAccount } from './rights/find-mysql-account.js';
export { grantServing } from './rights/grant-serving.js';
export { grantStatements } from './rights/grant-statements.js';
export { type MysqlRights, probeMysqlRights } from './rights/probe-mysql-rights.js';
export type { ServerFacts } from './server-facts.js';
export type { Tables } from './tables/define-tables.js';
export type { MailState } from './tables/mail-outbox.js';
export type { Locale, PendingAwaits } from './tables/members.js';
export type { RecoveryOutcome } from './tables/recoveries.js';
export type { SessionKind } from './tables/sessions.js';
export type { TokenStatus } from './tables/social-connections.js';
export type { SocialStatePurpose } from './tables/social-states.js';
export type { SubscriptionState } from './tables/subscriptions.js';
export type { WebhookStatus } from './tables/webhook-log.js';
export { UnstorableTextError } from './unstorable-text-error.js';
