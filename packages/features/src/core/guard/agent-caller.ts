import { AppError } from '@gatehouse/auth-core';
import type { AgentFacts } from '@gatehouse/http/server/http-call';
import type { AccessReader } from '../access/access-reader.js';
import type { Context, Services } from '../context.js';
import type { Caller } from './caller.js';
import { isBlockedIn } from './client-host.js';
import { memberOfAgent } from './member-of-agent.js';
import { standingToken } from './standing-token.js';

/**
 * The member for whom an application calls with an access token for this API, in the one account that they chose and limited to what
 * they agreed to, as the rows say now.
 * @throws {AppError} `unauthorized` for an unknown or ended token and for one that is for something else; `account_forbidden` where the
 * account forbids agents
 */
export async function identifyAgent(ctx: Context, access: AccessReader, token: string): Promise<Caller> {
  const { call, services } = ctx;
  const known = access.lockedGrant === undefined ? undefined : call.facts.agent;
  const agent = known ?? (await findAgent(services, token));
  if (agent === undefined || services.now() >= agent.expiresAtMs) throw new AppError('unauthorized');
  call.facts.agent = agent;
  call.facts.memberId = agent.memberId;
  const allowed = access.lockedGrant === undefined ? agent.scopes : await access.lockedGrant(agent);
  const member = await access.member(agent.memberId);
  if (allowed === undefined || member?.sessionEpoch !== agent.sessionEpoch)
    throw new AppError('unauthorized');
  const account = await access.account(agent.accountId);
  if (account?.allowsAgents !== true || isBlockedIn(account, agent.clientId))
    throw new AppError('account_forbidden');
  call.facts.caller = member;
  services.tokens.noteKey(token, agent.expiresAtMs);
  const scopes = agent.scopes.filter((scope) => allowed.includes(scope));
  return {
    memberId: member.id,
    member: await memberOfAgent(services, member, { accountId: agent.accountId, scopes }),
    session: {
      tokenKey: agent.tokenDigest,
      kind: 'bearer',
      keyId: undefined,
      agent,
      expiresAtMs: agent.expiresAtMs,
      issuedAtMs: 0,
      id: undefined,
      familyId: undefined,
      partnerId: undefined,
      verifiedAtMs: null,
      verifiedLevel: 1,
      amr: null,
      level: agent.level,
      authTimeMs: null,
      absoluteUntilMs: null,
      recoveryId: undefined,
      impersonation: undefined,
    },
  };
}

/** What a token rests on, if it counts now and is for this API in an account. */
async function findAgent(services: Services, token: string): Promise<AgentFacts | undefined> {
  const found = await standingToken(services, token);
  if (found === undefined || !found.audience.includes(services.config.BASE_URL)) return undefined;
  const { digest: tokenDigest, grantDigest, expiresAtMs, grant } = found;
  const { facts, application, consent } = grant;
  const { memberId, inAccountId: accountId, consentId, familyId, sessionEpoch, level } = facts;
  if (accountId === null) return undefined;
  const agreed = found.scopes.filter((scope) => consent.scopes.includes(scope));
  // They may have let the application know less of them than callers learn of themselves.
  if (agreed.length === 0) return undefined;
  return {
    tokenDigest,
    grantDigest,
    memberId,
    accountId,
    applicationId: application.id,
    clientId: application.clientId,
    consentId,
    familyId,
    sessionEpoch,
    level,
    scopes: agreed.filter((scope) => application.scopes.includes(scope)),
    expiresAtMs,
  };
}
