import { emailKey, TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';
import type { RunningService } from './start-service.js';

const signedIn = z.object({
  status: z.literal(true),
  token: z.string(),
  userId: z.number(),
  role: z.number(),
  accountId: z.number().nullable(),
});

export type SignedInMember = z.output<typeof signedIn>;

/**
 * Signs a member in over REST with the token of a social sign-in. Most tests only need a session, and this
 * needs no hash.
 */
export async function signIn(
  service: Pick<RunningService, 'send' | 'services' | 'database'>,
  email: string,
): Promise<SignedInMember> {
  const { services, database } = service;
  const member = await findCredential(database, emailKey(email));
  if (!member) throw new Error(`Nobody has the address ${email}`);
  const { id: userId, sessionEpoch } = member;
  const claims = { type: 'socialLogin', userId, provider: 'google', sessionEpoch } as const;
  const { token } = services.tokens.sealOneUse(claims, TOKEN_LIVES_SECONDS.socialLogin);
  return send(service, { social: true, token });
}

/**
 * Signs a member in over REST with a password, as a browser would; by default with that of the demonstration.
 */
export async function signInByPassword(
  service: Pick<RunningService, 'send'>,
  email: string,
  password: string = DEMONSTRATION_PASSWORD,
): Promise<SignedInMember> {
  return send(service, { email, password });
}

async function send(service: Pick<RunningService, 'send'>, body: object): Promise<SignedInMember> {
  const response = await service.send('/webauthenticate', { body });
  return signedIn.parse(await response.json());
}
