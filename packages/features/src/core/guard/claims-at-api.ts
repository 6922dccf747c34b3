import { decideAccess } from '@gatehouse/auth-core';
import { findResource } from '@gatehouse/db/queries/resources';
import type { Services } from '../context.js';
import { standingScopes } from './grant-standing.js';
import { levelFacts } from './level.js';
import { memberOfAgent } from './member-of-agent.js';
import type { StandingToken } from './standing-token.js';

/**
 * What an API of the product learns about a token that an application got for it (RFC 7662 and RFC 9068): the account that the
 * member chose, and what they may do there now within the scope. Undefined if that is nothing.
 */
export async function claimsAtApi(
  services: Pick<Services, 'access' | 'config' | 'db' | 'now' | 'relyingParty' | 'roles'>,
  { grant, audience, scopes: issued, expiresAtMs }: StandingToken,
) {
  const { access, config, db, roles } = services;
  const { facts, application, consent } = grant;
  const [aud] = audience;
  const accountId = facts.inAccountId;
  if (aud === undefined || accountId === null || !application.resources.includes(aud)) return undefined;
  const resource = await findResource(db, { origin: aud });
  if (resource === undefined || consent.resourceId !== resource.id) return undefined;
  const [member, account] = await Promise.all([access.member(facts.memberId), access.account(accountId)]);
  const scopes = standingScopes(grant, issued);
  if (member === undefined || account?.allowsAgents !== true || scopes.length === 0) return undefined;
  const limited = await memberOfAgent(services, member, { accountId, scopes });
  const level = levelFacts(services, member, { level: facts.level, recoveryId: undefined });
  const decision = decideAccess(roles, limited, { accountId, account, level });
  if (decision.reason !== undefined) return undefined;
  const claims = {
    iss: config.BASE_URL,
    aud,
    sub: String(member.id),
    client_id: application.clientId,
    exp: Math.floor(expiresAtMs / 1000),
    account: accountId,
    role: decision.role,
    permissions: [...decision.permissions],
    scope: scopes.join(' '),
    acr: String(facts.level),
  };
  return { resource, claims };
}
