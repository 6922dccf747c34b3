import { decideAccess } from '@gatehouse/auth-core';
import { findApplicationById } from '@gatehouse/db/queries/applications';
import { findConsent } from '@gatehouse/db/queries/consents';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { levelFacts } from '../../core/guard/level.js';
import { liveSession } from '../../core/guard/live-session.js';

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

type StandingServices = Pick<Services, 'access' | 'config' | 'db' | 'now' | 'relyingParty' | 'roles'>;

/**
 * Whether a grant counts now: its member may still act, in the account it is for, in the session it was given in unless it outlives
 * that, the application is active and may still act for them, and the member has not withdrawn their consent.
 */
export async function isStanding(services: StandingServices, grant: GrantFacts): Promise<boolean> {
  const { access, db, roles } = services;
  const { memberId, applicationId, inAccountId, familyId, level } = grant;
  const application = await findApplicationById(db, applicationId);
  if (application?.active !== true) return false;
  const consent = await findConsent(db, grant.consentId);
  if (consent?.memberId !== memberId) return false;
  await access.current();
  const member = await access.member(memberId);
  if (member?.sessionEpoch !== grant.sessionEpoch) return false;
  if (decideAccess(roles, member, {}).reason !== undefined) return false;
  // The members of an account alone may use its applications.
  if (application.accountId !== null && !member.memberships.has(application.accountId)) return false;
  const issuedAtMs = grant.grantedAtMs;
  if (familyId !== null && !(await liveSession(services, access, { memberId, familyId, issuedAtMs })))
    return false;
  if (inAccountId === null) return true;
  const account = await access.account(inAccountId);
  const facts = levelFacts(services, member, { level, recoveryId: undefined });
  return decideAccess(roles, member, { accountId: inAccountId, account, level: facts }).reason === undefined;
}
