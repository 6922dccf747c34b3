import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
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

/** Signs a demonstration member in over REST, as a browser would. */
export async function signIn(
  service: Pick<RunningService, 'send'>,
  email: string,
  password: string = DEMONSTRATION_PASSWORD,
): Promise<SignedInMember> {
  const response = await service.send('/webauthenticate', { body: { email, password } });
  return signedIn.parse(await response.json());
}
