export { backUpFile, type WrittenBackup } from './backup/back-up-file.js';
export { BackupError } from './backup/backup-file.js';
export { type RestoredFile, restoreFile } from './backup/restore-file.js';
export type {
  Database,
  DatabaseStatistics,
  Dialect,
  MigrationReport,
  ServerFacts,
  WriteStatement,
} from './database.js';
export {
  CommitUnknownError,
  DatabaseUnavailableError,
  DuplicateKeyError,
  isOutage,
  type UnavailableReason,
} from './database-errors.js';
export type { TraceStatement } from './dialect/driver.js';
export { mysqlConnectionOptions } from './dialect/mysql/mysql-connection-options.js';
export { UnstorableTextError } from './dialect/stored-text.js';
export { explainUnavailable } from './explain-unavailable.js';
export { EarlierTablesError } from './migration/apply-migrations.js';
export { openDatabase } from './open-database.js';
export type { OpenOptions } from './open-options.js';
export { embeddedPath } from './open-options.js';
export {
  type AccountPolicy,
  countFactorsOf,
  type FactorsOfAccount,
  listAccountsAbove,
  setAccountPolicy,
} from './queries/account-policy.js';
export type { AffiliateRow } from './queries/affiliates.js';
export {
  type AffiliateTerms,
  countReferrals,
  findAffiliate,
  insertAffiliate,
  insertReferral,
  listReferrals,
  type ReferralRow,
  searchAffiliates,
  setAffiliate,
} from './queries/affiliates.js';
export {
  type AuditEntry,
  type AuditFilter,
  type AuditRow,
  findOldestAudit,
  findOrInsertMemberKey,
  insertAudit,
  listAudit,
  listMemberKeys,
  listStaleMemberKeys,
  removeAudit,
  setMemberKey,
} from './queries/audit-log.js';
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
} from './queries/billing-checkout.js';
export {
  type AccountCustomer,
  type BillingCustomerRow,
  findCustomerAccount,
  listAccountCustomers,
  openBillingCustomer,
  setBillingCustomer,
} from './queries/billing-customer.js';
export {
  type BillingSubscriptionRow,
  leaseReconciliation,
  listAccountSubscriptions,
  listBillingSubscriptions,
  listCustomerSubscriptions,
  listImportedSubscriptions,
  listKnownSubscriptions,
  listPaidSubscriptions,
  listUnreportedRenewals,
  openBillingSubscription,
  type PaidSubscription,
  setBillingSubscription,
} from './queries/billing-subscriptions.js';
export type { AccessTransaction } from './queries/change-access.js';
export { type AccessChangeSubjects, changeAccess } from './queries/change-access.js';
export {
  insertAccount,
  reopenAccount,
  setAccountName,
  setAccountOwner,
  shutAccount,
  writeAccountRows,
} from './queries/change-accounts.js';
export type { ConnectionContent } from './queries/change-connections.js';
export {
  insertConnection,
  lockActiveMember,
  lockJoinableMember,
  removeConnection,
  setConnectionContent,
} from './queries/change-connections.js';
export {
  type Ban,
  type BanDetail,
  banDetails,
  findBan,
  type MemberProfile,
  proveOwner,
  setBan,
  setBannedRole,
  setMemberProfile,
  setMemberRole,
} from './queries/change-member.js';
export {
  keepSessionAwake,
  renameSession,
  setAuthToken,
  setSessionsUnverified,
  setSessionVerified,
  touchSessions,
} from './queries/change-session.js';
export {
  changeStaffStanding,
  type StaffStanding,
  type StaffTransaction,
} from './queries/change-staff-standing.js';
export type { Participant } from './queries/conversations.js';
export {
  type ConversationRow,
  hasConversation,
  isParticipant,
  listConversations,
  listMessages,
  type MessageRow,
  removeSubject,
} from './queries/conversations.js';
export { countSeenMembers, forgetSeenMember } from './queries/count-seen-members.js';
export { createImportForecast, type ImportForecast } from './queries/create-import-forecast.js';
export { insertCustomRole, isRoleInUse, removeCustomRole, setCustomRole } from './queries/custom-roles.js';
export { readDatabaseTime } from './queries/database-clock.js';
export {
  DEMONSTRATION_GRANTS,
  DEMONSTRATION_MEMBERSHIPS,
  DEMONSTRATION_PEOPLE,
  type DemonstrationPerson,
} from './queries/demonstration-data.js';
export {
  consumeEnrolmentTicket,
  endEnrolmentTickets,
  findEnrolmentTicket,
  insertEnrolmentTicket,
  type NewEnrolmentTicket,
} from './queries/enrolment-tickets.js';
export {
  type EndingAccount,
  eraseAccount,
  listDueEndings,
  listUntoldEndings,
  setErasureTold,
} from './queries/erase-account.js';
export {
  type DueMember,
  eraseMember,
  listDueMembers,
} from './queries/erase-member.js';
export { type AccessSnapshotRow, findAccessSnapshot } from './queries/find-access-snapshot.js';
export {
  type AccountState,
  type CustomRoleRow,
  findAccountState,
  findAccountStates,
} from './queries/find-account-state.js';
export {
  findTokenState,
  type KnownImpersonation,
  type SessionState,
  type TokenState,
} from './queries/find-token-state.js';
export {
  endImpersonation,
  findImpersonation,
  type ImpersonationRow,
  insertImpersonation,
  listImpersonations,
} from './queries/impersonations.js';
export {
  type ImportedAccount,
  type ImportedGrant,
  type ImportedMembership,
  type ImportedSubscription,
  importAccounts,
  importGrants,
  importMemberships,
  importSubscriptions,
} from './queries/import-accounts.js';
export { type ImportedMember, importMembers } from './queries/import-members.js';
export {
  countImportedHashes,
  countUnknownPasswords,
  declarePlainPasswords,
  findMostPasswordRounds,
  listImportedHashes,
  listUnknownPasswords,
} from './queries/imported-passwords.js';
export type { ImportOutcome } from './queries/insert-imported-rows.js';
export { findLastIds, type LastIds } from './queries/insert-imported-rows.js';
export {
  type EnrolmentRows,
  insertEnrolment,
  insertMember,
  type NewMember,
} from './queries/insert-member.js';
export {
  countOpenInvitations,
  endInvitation,
  findInvitation,
  findOpenInvitation,
  hasLaterInvitation,
  insertInvitation,
  isAddressOfAccount,
  lockInvitation,
  renewInvitation,
  revokeInvitations,
} from './queries/invitations.js';
export { consumeLimit, findLimit, type PointLimit, refundLimit, removeLimits } from './queries/limits.js';
export {
  ACCESS_CHANGE_PAGE,
  type AccessChange,
  listAccessChanges,
  listChangesSinceCheckpoint,
  missingIds,
} from './queries/list-access-changes.js';
export type { MailRow } from './queries/list-mails.js';
export {
  findListedMail,
  findMail,
  findMailReader,
  findMailTrouble,
  type ListedMail,
  listDeadMails,
  listMails,
  listNewestMails,
  listWaitingMails,
  type MailReader,
} from './queries/list-mails.js';
export type { AccountMemberRow } from './queries/list-members.js';
export {
  countMembersOfAccount,
  listMemberIds,
  listMembers,
  type MemberIdPage,
} from './queries/list-members.js';
export { listGrantsOfStaff, listPersonnel, searchManagers } from './queries/list-personnel.js';
export {
  countSessions,
  findOpenSession,
  findSessionKey,
  listNewestSignIns,
  listRecentSessions,
  listSessions,
  type NewestSignIn,
  type RecentSession,
  type SessionKey,
  type SessionRow,
} from './queries/list-sessions.js';
export type { LockMode } from './queries/lock-rows.js';
export {
  type LockedMember,
  lockAccountRows,
  lockMember,
  lockMemberRow,
  lockReach,
  lockToken,
} from './queries/lock-rows.js';
export {
  countLockedHolders,
  endLoginFailures,
  type FailureCounter,
  type FailureWait,
  findLoginFailures,
  isFamiliarOrigin,
  recordFamiliarOrigin,
  recordFamiliarOrigins,
  recordLoginFailure,
  removeLoginFailure,
  removeOldLoginFailures,
} from './queries/login-failures.js';
export {
  claimMails,
  countMailBacklog,
  insertMail,
  lockMergedMail,
  type MailOutcome,
  type NewMail,
  removeOldMails,
  setMailDue,
  setMailOutcome,
  setMergedMail,
} from './queries/mail-queue.js';
export type { ListedMember, MemberPlace, MemberRow } from './queries/member-columns.js';
export {
  ARCHIVED,
  ARCHIVED_LABEL,
  ENDLESS_MS,
  isActiveAt,
  isArchived,
  isBanned,
  isProven,
  type MemberStatus,
  statusOf,
} from './queries/member-columns.js';
export {
  findMemberFactors,
  type MemberFactors,
  setMemberFactors,
} from './queries/member-factors.js';
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
} from './queries/member-passkeys.js';
export { countPlaces, findPlace, hasPlaceAmong, type PlaceRow } from './queries/member-places.js';
export type { MemberScope } from './queries/member-scope.js';
export { listOwnedAccountIds } from './queries/member-scope.js';
export {
  findMembership,
  listAccountMembers,
  listLiveMemberships,
  listMembershipRowsOf,
  type MembershipRow,
  removeMembership,
  setMembership,
  sharesAccount,
} from './queries/memberships.js';
export { indexLastNames, indexMemberNames, indexNewNames, insertNameParts } from './queries/name-search.js';
export {
  consumeOneTimePassword,
  consumeOneTimePasswordAttempt,
  findNewestOneTimePassword,
  insertOneTimePassword,
  listOpenOneTimePasswords,
  type NewOneTimePassword,
  type OpenOneTimePassword,
  removeOldOneTimePasswords,
} from './queries/one-time-passwords.js';
export { listWithheldAccounts, OWN_RECORDS, type OwnRecord } from './queries/own-records.js';
export {
  countPartnersOfMember,
  endPartnerLink,
  findLinkableMember,
  findPartnerMember,
  hasPartnerLink,
  insertPartnerMember,
  listHeldPartners,
  listPartnerAccountIds,
  listPartnersOfMember,
  type PartnerMember,
  type PartnerOfMember,
  releasePartnerLink,
  setPartnerConsent,
} from './queries/partner-members.js';
export {
  findNewestPartnerSecret,
  findPartnerCredential,
  findPartnerOfToken,
  insertPartnerSecret,
  type PartnerCredential,
  type PartnerTokenClaim,
  removePartnerSecrets,
  setPartnerSecret,
} from './queries/partner-secrets.js';
export type { PartnerName, PartnerRow } from './queries/partners.js';
export {
  type AccountPartnerOutcome,
  deactivatePartner,
  findPartner,
  findPartnerState,
  insertPartner,
  type ListedPartner,
  listPartners,
  lockPartner,
  type PartnerState,
  recordPartnerUse,
  setAccountPartner,
  setPartner,
} from './queries/partners.js';
export {
  type Credential,
  findCredential,
  findCredentialById,
  type PasswordReset,
  recordListedPassword,
  resetPassword,
  setPassword,
  setPasswordHash,
} from './queries/passwords.js';
export {
  type AgreedLater,
  agreeLater,
  clearPendingAddress,
  confirmAddress,
  consumePendingAddress,
  dropAgreement,
  listAgreedLater,
  setPendingAddress,
  setPendingAwaits,
} from './queries/pending-addresses.js';
export {
  countRootStaff,
  endUnprovenSignIns,
  findInvitedPersonnel,
  findPersonnel,
  type InvitedPersonnel,
  insertPersonnel,
  listAdministrators,
  listRootStaff,
  lockAdministrators,
  type NewPersonnel,
  type RootStaff,
  setInvitedAddress,
  setPersonnelState,
} from './queries/personnel.js';
export {
  type AccountGrantRow,
  countGrantsOfAccount,
  countPersonnelGrants,
  listGrantedAccountIds,
  listPersonnelGrants,
  type PersonnelGrantRow,
  removePersonnelGrant,
  setPersonnelGrant,
} from './queries/personnel-grants.js';
export {
  type ClaimedWebhook,
  claimWebhooks,
  countWebhookBacklog,
  finishWebhook,
  insertWebhook,
  listWebhookBodies,
  type NewWebhook,
  postponeWebhook,
  removeSpentWebhooks,
  replayWebhook,
  setWebhookBody,
  type WebhookBody,
} from './queries/process-webhooks.js';
export {
  type AccountDetail,
  countOwnedAccounts,
  findAccount,
  hasHadTrial,
  hasOtherMembers,
  listLiveAccountIds,
  listOwnAccounts,
  listOwnerlessAccounts,
  listOwnersOfAccount,
  listPrimaryAccounts,
} from './queries/read-accounts.js';
export type { ConnectionRow, ConnectionSummary } from './queries/read-connections.js';
export {
  countConnections,
  findConnection,
  hasAnyConnection,
  hasConnection,
  isYoungerThanPassword,
  listConnections,
  listYoungerConnections,
  removeConnections,
} from './queries/read-connections.js';
export type { InvitationRow } from './queries/read-invitations.js';
export {
  countInvitations,
  findListedInvitation,
  findReceivedInvitation,
  type InvitationFilter,
  type ListedInvitation,
  listInvitations,
  listInvitationsTo,
  type ReceivedInvitation,
} from './queries/read-invitations.js';
export {
  findDeletedMember,
  findMember,
  findMemberAddress,
  findMemberByAddress,
  findMemberByAuthToken,
  findReturningHolder,
  listMemberNames,
  listMemberStandings,
  type MemberAddress,
  type MemberDetail,
  type MemberName,
  type MemberStanding,
  type ReturningHolder,
} from './queries/read-members.js';
export type { AccountOverview, MemberOverview } from './queries/read-overviews.js';
export { readAccountOverview, readMemberOverview } from './queries/read-overviews.js';
export {
  type CountedRange,
  countSeenSince,
  listServiceNodes,
  reportNode,
  type SlotRun,
  sumCounters,
  sumGauges,
} from './queries/read-statistics.js';
export type { WebhookRow } from './queries/read-webhooks.js';
export {
  countRejectedWebhooks,
  countWebhooksOfAccount,
  findWebhook,
  listWebhooks,
  listWebhooksOfAccount,
  type WebhookWithBody,
} from './queries/read-webhooks.js';
export {
  approveRecovery,
  consumeRecoveryTicket,
  countRecoveriesSince,
  endRecovery,
  endRecoverySessions,
  findOpenRecovery,
  findRecovery,
  findRecoveryByTicket,
  insertRecovery,
  listDueRecoveries,
  listOverRecoveries,
  listRecoveries,
  type NewRecovery,
  type RecoveryRow,
  releaseRecoverySessions,
  setRecoveryTicket,
} from './queries/recoveries.js';
export {
  findFormerAddress,
  findNewestSecurityEvent,
  hasSecurityEventAfter,
  insertFormerAddress,
  ownsAnAccount,
  removeFormerAddresses,
} from './queries/recovery-subject.js';
export {
  consumeToken,
  findSuccessor,
  isTokenConsumed,
  refreshSession,
  type Successor,
} from './queries/refresh-session.js';
export { type Expiry, removeExpiredRows } from './queries/remove-expired-rows.js';
export {
  deleteOwnMember,
  endMemberAccess,
  removeLeavingMember,
  removeMember,
} from './queries/remove-member.js';
export {
  type ClaimedConnection,
  claimConnection,
  listDueConnections,
  listStaleConnections,
  type RenewalOutcome,
  type StoredTokens,
  setRenewalOutcome,
  setStoredTokens,
} from './queries/renew-connections.js';
export { isRestorable, listAccountsClosedWith, restoreMember } from './queries/restore-member.js';
export {
  type AwayPlace,
  findReturningPlace,
  listAwayPlaces,
  listReturningPlaces,
  type ReturningPlace,
  removeReturningPlace,
  suspendPlacesInClosedAccounts,
  suspendReturningPlaces,
} from './queries/returning-places.js';
export {
  endAllSessions,
  endSession,
  endSessionById,
  findSessionsEnd,
  type KeptSession,
} from './queries/revoke-sessions.js';
export {
  type AccountRow,
  countAccounts,
  type FoundAccount,
  listAccounts,
  searchAccounts,
} from './queries/search-accounts.js';
export type { NameCursor } from './queries/search-members.js';
export { type FoundMember, searchMembers } from './queries/search-members.js';
export type { PeopleSearch } from './queries/search-people.js';
export { countPeople, listOwners, type OwnerRow, searchPeople } from './queries/search-people.js';
export {
  confirmTotp,
  consumeBackupCode,
  consumeTotpStep,
  findTotpFactor,
  hasBackupCode,
  listStaleTotps,
  removeBackupCodes,
  removeTotp,
  replaceBackupCodes,
  setPendingTotp,
  setTotpSecrets,
  type TotpSecrets,
} from './queries/second-factors.js';
export {
  insertSecurityEvent,
  listSecurityEvents,
  recordRefusedLogin,
  removeOldSecurityEvents,
  type SecurityEventRow,
} from './queries/security-events.js';
export {
  type DemonstrationSecrets,
  moveDemonstrationPartner,
  seedDemonstration,
} from './queries/seed-demonstration.js';
export { setGauges } from './queries/set-gauges.js';
export { pruneAccessChanges, settleAccessChanges } from './queries/settle-access-changes.js';
export {
  MAIL_OF_BEFORE,
  type RestoreChoice,
  type SettledRestore,
  settleRestored,
} from './queries/settle-restored.js';
export {
  consumeChallengeAttempt,
  consumeMailedCode,
  consumeMailedCodeAttempt,
  consumeSignInChallenge,
  findSignInChallenge,
  insertMailedCode,
  insertSignInChallenge,
  listOpenMailedCodes,
  type NewMailedCode,
  type OpenMailedCode,
  type SignInChallenge,
} from './queries/sign-in-challenges.js';
export {
  type DeletionRequestRow,
  findDeletionRequest,
  recordDeletion,
  removeIdentity,
} from './queries/social-deletions.js';
export {
  type ConsumedSocialState,
  consumeSocialState,
  insertSocialState,
  type NewSocialState,
  removeExpiredSocialStates,
} from './queries/social-states.js';
export { findFirstAccountId, type NewSession, startSession } from './queries/start-session.js';
export {
  countLogins,
  countSignUps,
  removeOldCounters,
  SLOT_MS,
  slotOf,
} from './queries/statistic-counters.js';
export {
  listAddressHolders,
  listDoubtfulAddresses,
  respellAddresses,
  type StoredAddresses,
} from './queries/stored-addresses.js';
export {
  expireTrials,
  findImportedSubscription,
  findSubscription,
  listEndedTrialsWithSubscriptions,
  openSubscription,
  type SubscriptionRow,
  setSubscription,
  setTrial,
} from './queries/subscriptions.js';
export {
  findDecidableMembership,
  type HeldMembership,
  listHeldMemberships,
  lockPlantedAccounts,
  settleHeldMembership,
  type TakenOver,
  type TakeOver,
  takeMemberOver,
} from './queries/take-member-over.js';
export {
  findMysqlAccount,
  grantServing,
  grantStatements,
  type MysqlAccount,
  type MysqlRights,
  probeMysqlRights,
} from './rights/mysql-rights.js';
export type { SubscriptionState, WebhookStatus } from './tables/billing-tables.js';
export type { Tables } from './tables/define-tables.js';
export type { RecoveryOutcome } from './tables/factor-tables.js';
export type { Locale, PendingAwaits } from './tables/member-tables.js';
export type { MailState } from './tables/operation-tables.js';
export type { SessionKind } from './tables/session-tables.js';
export type { SocialStatePurpose, TokenStatus } from './tables/social-tables.js';
