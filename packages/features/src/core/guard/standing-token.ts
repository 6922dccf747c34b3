import { isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Services } from '../context.js';
import type { StandingGrant } from './grant-standing.js';
import { standingGrant, storedGrants } from './stored-grants.js';

const tokenFacts = z.object({
  scope: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.int(),
});

/** A valid access token, and what it depends on. */
export interface StandingToken {
  readonly grant: StandingGrant;
  readonly digest: string;
  readonly grantDigest: string;
  /** What it was issued for; the application may ask for less by now, and its member may have agreed to less since. */
  readonly scopes: readonly string[];
  /** The APIs it is for; none for a token that gives access only to userinfo. */
  readonly audience: readonly string[];
  readonly expiresAtMs: number;
}

type TokenServices = Pick<
  Services,
  'access' | 'cipher' | 'config' | 'db' | 'deployment' | 'now' | 'relyingParty' | 'roles'
>;

/**
 * What an access token (`gtha_…`) of an application rests on; undefined for one that is unknown, expired or revoked, or whose
 * grant is not valid now. A node that knows the token reads nothing but the log of changes.
 */
export async function standingToken(
  services: TokenServices,
  token: string,
): Promise<StandingToken | undefined> {
  return isOpaqueToken('accessToken', token) ? standingTokenOf(services, sha256Hex(token)) : undefined;
}

/** The same, by the SHA-256 of the token. */
export async function standingTokenOf(
  services: TokenServices,
  digest: string,
): Promise<StandingToken | undefined> {
  await services.access.current();
  const stored = await storedGrants(services).find({ model: 'AccessToken', digest });
  const grantDigest = stored?.row.grantDigest;
  if (!grantDigest) return undefined;
  const { scope = '', aud, exp } = tokenFacts.parse(stored.facts);
  const expiresAtMs = exp * 1000;
  if (services.now() >= expiresAtMs) return undefined;
  const grant = await standingGrant(services, grantDigest);
  if (grant === undefined) return undefined;
  return { grant, digest, grantDigest, scopes: scope.split(' '), audience: [aud ?? []].flat(), expiresAtMs };
}
