import type { Vocabulary } from '../dialect/mysql/vocabulary.js';
import { defineAccessChanges } from './access-changes.js';
import { defineAccessCheckpoints } from './access-checkpoints.js';
import { defineAccounts } from './accounts.js';
import { defineAffiliates } from './affiliates.js';
import { defineAuditLog } from './audit-log.js';
import { defineBackupCodes } from './backup-codes.js';
import { defineBillingCheckouts } from './billing-checkouts.js';
import { defineBillingCustomers } from './billing-customers.js';
import { defineBillingSubscriptions } from './billing-subscriptions.js';
import { defineConversations } from './conversations.js';
import { defineCustomRoles } from './custom-roles.js';
import { defineDeletionRequests } from './deletion-requests.js';
import { defineEnrolmentTickets } from './enrolment-tickets.js';
import { defineFormerAddresses } from './former-addresses.js';
import { defineImpersonations } from './impersonations.js';
import { defineInvitations } from './invitations.js';
import { defineLeases } from './leases.js';
import { defineLimits } from './limits.js';
import { defineLoginFailures } from './login-failures.js';
import { defineLoginFamiliarity } from './login-familiarity.js';
import { defineMailOutbox } from './mail-outbox.js';
import { defineMailedCodes } from './mailed-codes.js';
import { defineMemberKeys } from './member-keys.js';
import { defineMemberNameParts } from './member-name-parts.js';
import { defineMembers } from './members.js';
import { defineMemberships } from './memberships.js';
import { defineMessages } from './messages.js';
import { defineOneTimePasswords } from './one-time-passwords.js';
import { defineParticipants } from './participants.js';
import { definePartnerMembers } from './partner-members.js';
import { definePartnerSecrets } from './partner-secrets.js';
import { definePartners } from './partners.js';
import { definePasskeys } from './passkeys.js';
import { definePersonnelGrants } from './personnel-grants.js';
import { defineRecoveries } from './recoveries.js';
import { defineReferrals } from './referrals.js';
import { defineRevocations } from './revocations.js';
import { defineSecurityEvents } from './security-events.js';
import { defineSeenMembers } from './seen-members.js';
import { defineServiceNodes } from './service-nodes.js';
import { defineSessions } from './sessions.js';
import { defineSignInChallenges } from './sign-in-challenges.js';
import { defineSocialConnections } from './social-connections.js';
import { defineSocialStates } from './social-states.js';
import { defineStatisticCounters } from './statistic-counters.js';
import { defineStatisticGauges } from './statistic-gauges.js';
import { defineSubjects } from './subjects.js';
import { defineSubscriptions } from './subscriptions.js';
import { defineTotpFactors } from './totp-factors.js';
import { defineWebhookLog } from './webhook-log.js';

/** Every table, with the column types of one dialect. */
export const defineTables = (v: Vocabulary) => ({
  members: defineMembers(v),
  memberNameParts: defineMemberNameParts(v),
  accounts: defineAccounts(v),
  memberships: defineMemberships(v),
  customRoles: defineCustomRoles(v),
  impersonations: defineImpersonations(v),
  invitations: defineInvitations(v),
  personnelGrants: definePersonnelGrants(v),
  sessions: defineSessions(v),
  revocations: defineRevocations(v),
  accessChanges: defineAccessChanges(v),
  accessCheckpoints: defineAccessCheckpoints(v),
  oneTimePasswords: defineOneTimePasswords(v),
  mailOutbox: defineMailOutbox(v),
  leases: defineLeases(v),
  socialConnections: defineSocialConnections(v),
  socialStates: defineSocialStates(v),
  partners: definePartners(v),
  partnerSecrets: definePartnerSecrets(v),
  partnerMembers: definePartnerMembers(v),
  subscriptions: defineSubscriptions(v),
  billingCheckouts: defineBillingCheckouts(v),
  billingCustomers: defineBillingCustomers(v),
  billingSubscriptions: defineBillingSubscriptions(v),
  webhookLog: defineWebhookLog(v),
  conversations: defineConversations(v),
  participants: defineParticipants(v),
  messages: defineMessages(v),
  subjects: defineSubjects(v),
  affiliates: defineAffiliates(v),
  referrals: defineReferrals(v),
  deletionRequests: defineDeletionRequests(v),
  auditLog: defineAuditLog(v),
  memberKeys: defineMemberKeys(v),
  securityEvents: defineSecurityEvents(v),
  limits: defineLimits(v),
  loginFamiliarity: defineLoginFamiliarity(v),
  loginFailures: defineLoginFailures(v),
  totpFactors: defineTotpFactors(v),
  passkeys: definePasskeys(v),
  backupCodes: defineBackupCodes(v),
  signInChallenges: defineSignInChallenges(v),
  mailedCodes: defineMailedCodes(v),
  recoveries: defineRecoveries(v),
  formerAddresses: defineFormerAddresses(v),
  enrolmentTickets: defineEnrolmentTickets(v),
  statisticCounters: defineStatisticCounters(v),
  statisticGauges: defineStatisticGauges(v),
  seenMembers: defineSeenMembers(v),
  serviceNodes: defineServiceNodes(v),
});

/** The tables with MySQL's types. */
export type Tables = ReturnType<typeof defineTables>;
