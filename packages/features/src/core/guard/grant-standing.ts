import { type AccessRefusal, decideAccess } from '@gatehouse/auth-core';
import type { ApplicationRow, ApplicationState } from '@gatehouse/db/queries/applications';
import { type ConsentRow, findConsent } from '@gatehouse/db/queries/consents';
import { z } from 'zod';
import type { MemberSnapshot } from '../access/access-reader.js';
import { createMemberMemo } from '../access/create-member-memo.js';
import type { Services } from '../context.js';
import { admitsHost, clientHost, isBlockedIn } from './client-host.js';
import { levelFacts } from './level.js';
import { liveSession } from './live-session.js';

/** What a grant rests on, stored with it. */
export const grantFacts = z.object({
  memberId: z.int(),
  applicationId: z.int(),
  consentId: z.int(),
  /** The account that the application acts in; null if it acts in none. */
  inAccountId: z.int().nullable(),
  /** The account that publishes the application, which then learns of that account only. */
  publisherId: z.int().nullable(),
  /** The session that it ends with; null with `offline_access`. */
  familyId: z.int().nullable(),
  sessionEpoch: z.int(),
  /** The level of that session. */
  level: z.int(),
  grantedAtMs: z.int(),
});

export type GrantFacts = z.output<typeof grantFacts>;

type StandingServices = Pick<
  Services,
  'access' | 'config' | 'db' | 'deployment' | 'now' | 'relyingParty' | 'roles'
>;

/** The consents of members by their ids. Whom they concern never changes, and removing one is a change of the member. */
const consentOf = createMemberMemo<ConsentRow>();

/** A grant that is valid now. */
export interface StandingGrant {
  readonly facts: GrantFacts;
  readonly application: ApplicationState;
  readonly consent: ConsentRow;
}

/**
 * A grant that is valid now: its member may still act, in the account it is for, in the session it was given in unless it
 * outlives that, the application is active and admits them, and they have not withdrawn their consent. Undefined for any other.
 * The caller has awaited `access.current()`.
 */
export async function standing(
  services: StandingServices,
  facts: GrantFacts,
): Promise<StandingGrant | undefined> {
  const { access, config, db, roles } = services;
  const { memberId, applicationId, inAccountId, familyId, level } = facts;
  const application = await access.application(applicationId);
  if (application?.active !== true) return undefined;
  const host = clientHost(application.clientId);
  if (host !== undefined && !admitsHost(config.OAUTH_CLIENT_DOCUMENTS, host)) return undefined;
  const member = await access.member(memberId);
  if (member?.sessionEpoch !== facts.sessionEpoch) return undefined;
  const consent = await consentOf(member, facts.consentId, () => findConsent(db, facts.consentId));
  if (consent?.memberId !== memberId || consent.applicationId !== applicationId) return undefined;
  if (consent.accountId !== inAccountId) return undefined;
  if (decideAccess(roles, member, {}).reason !== undefined) return undefined;
  const issuedAtMs = facts.grantedAtMs;
  if (familyId !== null && !(await liveSession(services, access, { memberId, familyId, issuedAtMs })))
    return undefined;
  if ((await refusalOf(services, { application, member, level })) !== undefined) return undefined;
  const isShut =
    inAccountId !== null &&
    (isBlockedIn(await access.account(inAccountId), application.clientId) ||
      (await refusalIn(services, { accountId: inAccountId, member, level })) !== undefined);
  return isShut ? undefined : { facts, application, consent };
}

/** Those of some scopes that the member still agrees to and the application may still ask for. */
export function standingScopes(
  { application, consent }: Pick<StandingGrant, 'application' | 'consent'>,
  scopes: readonly string[],
): string[] {
  return scopes.filter((scope) => application.scopes.includes(scope) && consent.scopes.includes(scope));
}

interface Admitted {
  readonly application: Pick<ApplicationRow, 'accountId'>;
  readonly member: MemberSnapshot;
  /** The level of the member's session. */
  readonly level: number;
}

/** Why an application does not admit a member: one that an account publishes admits those who may act in that account. */
export async function refusalOf(
  services: StandingServices,
  { application, member, level }: Admitted,
): Promise<AccessRefusal | undefined> {
  const { accountId } = application;
  if (accountId === null) return undefined;
  if (!member.memberships.has(accountId)) return 'account_forbidden';
  return refusalIn(services, { accountId, member, level });
}

/** Why a member may not act in an account, in a session of a level. */
async function refusalIn(
  services: StandingServices,
  { accountId, member, level }: Pick<Admitted, 'member' | 'level'> & { readonly accountId: number },
): Promise<AccessRefusal | undefined> {
  const account = await services.access.account(accountId);
  const facts = levelFacts(services, member, { level, recoveryId: undefined });
  return decideAccess(services.roles, member, { accountId, account, level: facts }).reason;
}
