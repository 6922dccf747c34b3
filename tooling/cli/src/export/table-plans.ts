import { randomBytes } from 'node:crypto';
import { dummyHash } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listPartnerKeys } from '@gatehouse/db/queries/partners';
import type { WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import type { Tables } from '@gatehouse/db/tables/define-tables';
import { totpSecretContext } from '@gatehouse/features/authentication/second-factor/factor-codes';
import { endpointSecretContext, generateEndpointSecret } from '@gatehouse/features/endpoint/endpoint-secrets';
import { partnerSecretContext } from '@gatehouse/features/partner/rotate-partner-secret';
import { connectionSecretContext } from '@gatehouse/features/social/proven-identity';
import { ssoSecretContext } from '@gatehouse/features/sso/connection-secrets';

/** The name of a table in the code, which is that of its file in an export. */
export type TableName = keyof Tables;

/** The encryption context of a column that the deployment's key encrypts, in one row. */
export type ContextOf = (row: WholeRow, column: string) => string;

/** How a table is exported. */
export interface TablePlan {
  /** Columns that are left out unless the operator asks for secrets, and the values that an import writes without them. */
  readonly secrets?: Readonly<Record<string, () => unknown>>;
  /** Set for tables whose secrets the deployment's key encrypts. */
  readonly contexts?: (db: Database, rows: readonly WholeRow[]) => Promise<ContextOf>;
  /** Columns that are never exported, and the values that an import writes. */
  readonly leftOut?: Readonly<Record<string, (nowMs: number) => unknown>>;
}

const nothing = () => null;

/** A digest of a secret that nobody has. */
const digestOfNothing = () => randomBytes(32).toString('hex');

const LEASE = { leaseToken: nothing, leaseUntilMs: nothing };

/**
 * Makes earlier tokens invalid, because the rows that say which have ended are not exported. The end of an import sets it later.
 */
const endTokens = (nowMs: number) => nowMs;

type PlanOf<Row> = {
  readonly secrets?: Partial<Record<keyof Row & string, () => unknown>>;
  readonly contexts?: TablePlan['contexts'];
  readonly leftOut?: Partial<Record<keyof Row & string, (nowMs: number) => unknown>>;
};

/** How each table is exported, or why it is not. */
const PLANS = {
  accounts: {},
  customRoles: {},
  memberships: {},
  machines: {},
  apiKeys: { secrets: { digest: digestOfNothing } },
  scimTokens: { secrets: { digest: digestOfNothing } },
  scimRequests: {},
  scimUsers: {},
  scimGroups: {},
  scimGroupMembers: {},
  applications: {},
  applicationSecrets: { secrets: { digest: digestOfNothing } },
  blockedClientHosts: {},
  resources: {},
  consents: {},
  foreignIds: {},
  impersonations: {},
  invitations: { secrets: { tokenKey: nothing }, leftOut: { mailId: nothing } },
  personnelGrants: {},
  partners: { leftOut: { tokenDigest: nothing, tokenExpiresAtMs: nothing, tokensValidAfterMs: endTokens } },
  partnerSecrets: {
    secrets: { secret: digestOfNothing },
    async contexts(db, rows) {
      const keys = await listPartnerKeys(
        db,
        rows.map((row) => Number(row['partnerId'])),
      );
      return (row) => partnerSecretContext(keys.get(Number(row['partnerId'])) ?? '');
    },
  },
  partnerMembers: {},
  ssoDomains: {},
  ssoConnections: {
    secrets: { secret: nothing, liveSecret: nothing },
    contexts: async () => (row) => ssoSecretContext(String(row['key'])),
  },
  ssoSubjects: {},
  socialConnections: {
    secrets: { accessToken: nothing, refreshToken: nothing },
    contexts: async () => (row, column) =>
      connectionSecretContext(
        { providerId: Number(row['providerId']), providerUserId: String(row['providerUserId']) },
        column === 'accessToken' ? 'accessToken' : 'refreshToken',
      ),
    leftOut: LEASE,
  },
  deletionRequests: {},
  subscriptions: {},
  billingCheckouts: { leftOut: LEASE },
  billingCustomers: {},
  billingSubscriptions: {},
  webhookLog: { leftOut: LEASE },
  subjects: {},
  conversations: {},
  participants: {},
  messages: {},
  affiliates: {},
  referrals: {},
  events: {},
  eventAudiences: {},
  eventEndpoints: {
    secrets: { secret: generateEndpointSecret, previousSecret: nothing },
    contexts: async () => (row) => endpointSecretContext(Number(row['id'])),
  },
  auditLog: {},
  securityEvents: {},
  loginFamiliarity: {},
  passwordUses: {},
  totpFactors: {
    secrets: { secret: nothing, pendingSecret: nothing },
    contexts: async () => (row) => totpSecretContext(Number(row['memberId'])),
  },
  passkeys: {},
  backupCodes: { secrets: { digest: digestOfNothing } },
  recoveries: { secrets: { ticketDigest: nothing } },
  formerAddresses: {},
  statisticCounters: {},
  seenMembers: {},
  // Last, so that nobody signs in to a database that an import has not finished.
  members: {
    secrets: {
      password: () => dummyHash,
      passwordIsPlain: () => false,
      passwordRounds: nothing,
      passwordDelayMs: nothing,
      passwordListedAtMs: nothing,
      hasPassword: () => false,
    },
    leftOut: {
      authTokenDigest: nothing,
      authTokenExpiresAtMs: nothing,
      tokensValidAfterMs: endTokens,
      impersonationId: nothing,
    },
  },
  sessions: 'are of tokens, which all end: people sign in again',
  revocations: 'are of tokens, which all end',
  applicationLogins: 'say which applications hear when a session ends, and no session comes',
  ssoLogins: 'are of sessions, which all end',
  ssoRuns: 'live for minutes',
  oauthArtifacts:
    'are codes and tokens of applications, which ask for new ones; what members allowed them comes',
  signingKeys: 'never leave a deployment: each makes its own',
  memberKeys: 'encrypt personal data in the audit log, which comes decrypted and is encrypted again',
  oneTimePasswords: 'live for minutes',
  mailedCodes: 'live for minutes',
  signInChallenges: 'live for minutes',
  socialStates: 'live for minutes',
  enrolmentTickets: 'live for hours; an operator prints another',
  limits: 'count what is limited',
  loginFailures: 'count what is limited',
  mailOutbox: 'is a queue: mails that wait leave from where they were written',
  eventDeliveries: 'is a queue: events that wait leave from where they happened; the events come',
  accessChanges: 'tell running services what to read again',
  accessCheckpoints: 'tell running services what to read again',
  leases: 'say which service does what now',
  serviceNodes: 'are the running services',
  statisticGauges: 'are counted again',
  movedRows: 'tell a further gatehouse move what it has brought',
} as const satisfies { readonly [Name in TableName]: PlanOf<Tables[Name]['$inferSelect']> | string };

/** The tables that are not exported, and why. */
export const NOT_EXPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries(PLANS).flatMap(([name, plan]) => (typeof plan === 'string' ? [[name, plan] as const] : [])),
);

/** The tables that are exported, in the order in which an import writes them. */
export const TABLE_PLANS: ReadonlyMap<TableName, TablePlan> = new Map(
  namesOf(PLANS).flatMap((name): [TableName, TablePlan][] => {
    const plan: TablePlan | string = PLANS[name];
    return typeof plan === 'string' ? [] : [[name, plan]];
  }),
);

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the record has every name and, being checked above, no other
  return Object.keys(record) as Name[];
}
