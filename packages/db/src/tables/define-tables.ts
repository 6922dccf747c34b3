import { getTableName } from 'drizzle-orm';
import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { indexName, snakeCase, tableIndexRows } from '../dialect/table-indexes.js';
import { defineResources, defineSigningKeys } from './access-token-tables.js';
import { defineAccounts, defineCustomRoles, defineInvitations, defineMemberships } from './account-tables.js';
import {
  defineApplicationSecrets,
  defineApplications,
  defineBlockedClientHosts,
} from './application-tables.js';
import { defineAuditLog, defineMemberKeys, defineSecurityEvents } from './audit-tables.js';
import {
  defineBillingCheckouts,
  defineBillingCustomers,
  defineBillingSubscriptions,
  defineSubscriptions,
  defineWebhookLog,
} from './billing-tables.js';
import { defineConversations, defineMessages, defineParticipants } from './conversation-tables.js';
import {
  defineEventAudiences,
  defineEventDeliveries,
  defineEventEndpoints,
  defineEvents,
} from './event-tables.js';
import {
  defineBackupCodes,
  defineEnrolmentTickets,
  defineMailedCodes,
  definePasskeys,
  defineRecoveries,
  defineSignInChallenges,
  defineTotpFactors,
} from './factor-tables.js';
import { defineApiKeys, defineMachines } from './machine-tables.js';
import { defineForeignIds, defineFormerAddresses, defineMembers, defineSubjects } from './member-tables.js';
import { defineApplicationLogins, defineConsents, defineOauthArtifacts } from './oauth-tables.js';
import {
  defineLeases,
  defineMailOutbox,
  defineMovedRows,
  defineSeenMembers,
  defineServiceNodes,
  defineStatisticCounters,
  defineStatisticGauges,
} from './operation-tables.js';
import { definePartnerMembers, definePartnerSecrets, definePartners } from './partner-tables.js';
import {
  defineScimGroupMembers,
  defineScimGroups,
  defineScimRequests,
  defineScimTokens,
  defineScimUsers,
} from './scim-tables.js';
import {
  defineAccessChanges,
  defineAccessCheckpoints,
  defineRevocations,
  defineSessions,
} from './session-tables.js';
import {
  defineLimits,
  defineLoginFailures,
  defineLoginFamiliarity,
  defineOneTimePasswords,
  definePasswordUses,
} from './sign-in-tables.js';
import { defineDeletionRequests, defineSocialConnections, defineSocialStates } from './social-tables.js';
import {
  defineSsoConnections,
  defineSsoDomains,
  defineSsoLogins,
  defineSsoRuns,
  defineSsoSubjects,
} from './sso-tables.js';
import {
  defineAffiliates,
  defineImpersonations,
  definePersonnelGrants,
  defineReferrals,
} from './staff-tables.js';

/** Every table, with the column types of one dialect. */
export const defineTables = (v: Vocabulary) => ({
  members: defineMembers(v),
  foreignIds: defineForeignIds(v),
  accounts: defineAccounts(v),
  memberships: defineMemberships(v),
  customRoles: defineCustomRoles(v),
  machines: defineMachines(v),
  apiKeys: defineApiKeys(v),
  applications: defineApplications(v),
  applicationSecrets: defineApplicationSecrets(v),
  blockedClientHosts: defineBlockedClientHosts(v),
  applicationLogins: defineApplicationLogins(v),
  consents: defineConsents(v),
  oauthArtifacts: defineOauthArtifacts(v),
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
  events: defineEvents(v),
  eventAudiences: defineEventAudiences(v),
  eventEndpoints: defineEventEndpoints(v),
  eventDeliveries: defineEventDeliveries(v),
  auditLog: defineAuditLog(v),
  memberKeys: defineMemberKeys(v),
  securityEvents: defineSecurityEvents(v),
  limits: defineLimits(v),
  loginFamiliarity: defineLoginFamiliarity(v),
  loginFailures: defineLoginFailures(v),
  passwordUses: definePasswordUses(v),
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
  signingKeys: defineSigningKeys(v),
  resources: defineResources(v),
  movedRows: defineMovedRows(v),
  scimTokens: defineScimTokens(v),
  scimRequests: defineScimRequests(v),
  ssoDomains: defineSsoDomains(v),
  ssoConnections: defineSsoConnections(v),
  ssoSubjects: defineSsoSubjects(v),
  ssoLogins: defineSsoLogins(v),
  ssoRuns: defineSsoRuns(v),
  scimUsers: defineScimUsers(v),
  scimGroups: defineScimGroups(v),
  scimGroupMembers: defineScimGroupMembers(v),
});

/** The tables with MySQL's types. */
export type Tables = ReturnType<typeof defineTables>;

/** The name of each unique index by its columns as SQLite names them in an error: `members.sid_key`. */
export function uniqueIndexNames(tables: Tables): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const table of Object.values(tables)) {
    const tableName = getTableName(table);
    for (const row of tableIndexRows(table)) {
      if (!row.unique) continue;
      const columns = row.properties.map((property) => `${tableName}.${snakeCase(property)}`);
      names.set(columns.join(', '), indexName(tableName, row));
    }
  }
  return names;
}
