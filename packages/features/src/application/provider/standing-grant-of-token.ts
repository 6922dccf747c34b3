import { isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import type { GrantFacts } from './grant-standing.js';
import { standingGrant, storedGrants } from './stored-grants.js';

const tokenFacts = z.object({
  clientId: z.string(),
  scope: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.int(),
});

/** An access token that counts now, and what it rests on. */
export interface StandingToken {
  readonly grant: GrantFacts;
  readonly clientId: string;
  /** What it was issued for; the application or the member may have fewer rights by now. */
  readonly scopes: ReadonlySet<string>;
  /** The APIs it is for; none for one that only opens userinfo. */
  readonly audience: readonly string[];
  readonly expiresAtMs: number;
}

/**
 * What an access token (`gtha_…`) of an application rests on; undefined for one that is unknown, expired or revoked, or whose
 * grant does not count now. A node that knows the token reads nothing but the log of changes.
 */
export async function standingGrantOfToken(
  services: Pick<Services, 'access' | 'cipher' | 'config' | 'db' | 'now' | 'relyingParty' | 'roles'>,
  token: string,
): Promise<StandingToken | undefined> {
  if (!isOpaqueToken('accessToken', token)) return undefined;
  await services.access.current();
  const stored = await storedGrants(services).find({ model: 'AccessToken', digest: sha256Hex(token) });
  const grantDigest = stored?.row.grantDigest;
  if (!grantDigest) return undefined;
  const { clientId, scope, aud, exp } = tokenFacts.parse(stored.facts);
  const expiresAtMs = exp * 1000;
  if (services.now() >= expiresAtMs) return undefined;
  const grant = await standingGrant(services, grantDigest);
  if (grant === undefined) return undefined;
  const scopes = new Set(scope?.split(' '));
  return { grant, clientId, scopes, audience: [aud ?? []].flat(), expiresAtMs };
}
