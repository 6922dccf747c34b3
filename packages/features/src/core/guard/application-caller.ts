import { AppError, isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import type { AgentFacts, MachineTokenFacts } from '@gatehouse/http/server/http-call';
import { z } from 'zod';
import type { AccessReader, MemberSnapshot } from '../access/access-reader.js';
import type { Context, Services } from '../context.js';
import type { Caller } from './caller.js';
import { isBlockedIn } from './client-host.js';
import { standingScopes } from './grant-standing.js';
import { LEVEL_OF_MACHINES } from './machine-caller.js';
import { memberOfAgent } from './member-of-agent.js';
import { standingToken } from './standing-token.js';
import { storedGrants } from './stored-grants.js';

/**
 * The caller of an application's access token for this API, as the rows say now: the member who approved it, in the one account
 * that they chose, or its machine. Both are limited to the scopes of the token.
 * @throws {AppError} `unauthorized` for an unknown or ended token and for one that is for something else; `account_forbidden` if
 * the account forbids agents
 */
export async function identifyApplication(
  ctx: Context,
  access: AccessReader,
  token: string,
): Promise<Caller> {
  const { call, services } = ctx;
  const known = access.lockedGrant === undefined ? undefined : call.facts.agent;
  const agent = known ?? (await findToken(services, token));
  if (agent === undefined || services.now() >= agent.expiresAtMs) throw new AppError('unauthorized');
  call.facts.agent = agent;
  call.facts.memberId = agent.memberId;
  const allowed = access.lockedGrant === undefined ? agent.scopes : await access.lockedGrant(agent);
  const member = await access.member(agent.memberId);
  if (allowed === undefined || member === undefined || !isStanding(agent, member))
    throw new AppError('unauthorized');
  if (agent.actsAs === 'member') await requireAgentsAllowed(access, agent);
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
      level: agent.actsAs === 'member' ? agent.level : LEVEL_OF_MACHINES,
      authTimeMs: null,
      absoluteUntilMs: null,
      recoveryId: undefined,
      impersonation: undefined,
    },
  };
}

/** Whether all sessions of the member have not ended since, or the machine was not removed. */
function isStanding(token: AgentFacts | MachineTokenFacts, member: MemberSnapshot): boolean {
  return token.actsAs === 'member'
    ? member.sessionEpoch === token.sessionEpoch
    : member.machine?.accountId === token.accountId;
}

async function requireAgentsAllowed(
  access: AccessReader,
  { accountId, clientId }: AgentFacts,
): Promise<void> {
  const account = await access.account(accountId);
  if (account?.allowsAgents !== true || isBlockedIn(account, clientId))
    throw new AppError('account_forbidden');
}

/** What a token rests on. A token of a machine that this node knows is not looked up among those of members. */
async function findToken(
  services: Services,
  token: string,
): Promise<AgentFacts | MachineTokenFacts | undefined> {
  if (!isOpaqueToken('accessToken', token)) return undefined;
  const digest = sha256Hex(token);
  const isOfMachine = storedGrants(services).knows({ model: 'ClientCredentials', digest });
  const found = isOfMachine ? undefined : await findAgent(services, token);
  return found ?? findMachineToken(services, digest);
}

const machineFacts = z.object({
  clientId: z.string(),
  scope: z.string().optional(),
  aud: z.string().optional(),
  exp: z.int(),
  extra: z.object({ sub: z.string() }),
});

/** The token of a machine, if it is valid now and is for this API. A node that knows it reads nothing but the log of changes. */
async function findMachineToken(services: Services, digest: string): Promise<MachineTokenFacts | undefined> {
  const { access, config, now } = services;
  await access.current();
  const stored = await storedGrants(services).find({ model: 'ClientCredentials', digest });
  if (stored === undefined) return undefined;
  const { clientId, scope = '', aud, exp, extra } = machineFacts.parse(stored.facts);
  const expiresAtMs = exp * 1000;
  if (aud !== config.BASE_URL || now() >= expiresAtMs) return undefined;
  const application = await access.client(clientId);
  if (application?.active !== true || String(application.machineId) !== extra.sub) return undefined;
  const { id: applicationId, machineId: memberId, accountId } = application;
  // A machine of the staff reaches no account.
  if (memberId === null || accountId === null) return undefined;
  const scopes = scope.split(' ').filter((each) => application.scopes.includes(each));
  return { actsAs: 'machine', tokenDigest: digest, memberId, accountId, applicationId, scopes, expiresAtMs };
}

/** The token of an application that acts for a member, if it is valid now and is for this API in an account. */
async function findAgent(services: Services, token: string): Promise<AgentFacts | undefined> {
  const found = await standingToken(services, token);
  if (found === undefined || !found.audience.includes(services.config.BASE_URL)) return undefined;
  const { digest: tokenDigest, grantDigest, expiresAtMs, grant } = found;
  const { facts, application, consent } = grant;
  const { memberId, inAccountId: accountId, consentId, familyId, sessionEpoch, level } = facts;
  if (accountId === null) return undefined;
  const agreed = found.scopes.filter((scope) => consent.scopes.includes(scope));
  // They may have allowed the application less data about them than callers learn of themselves.
  if (agreed.length === 0) return undefined;
  return {
    actsAs: 'member',
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
    seesAddress: standingScopes(grant, ['email']).length > 0,
    scopes: agreed.filter((scope) => application.scopes.includes(scope)),
    expiresAtMs,
  };
}
