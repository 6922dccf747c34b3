import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { z } from 'zod';

/** A signed-in caller, with the headers of their requests. */
export interface BenchCaller {
  readonly headers: Record<string, string>;
  readonly userId: number;
  /** The account they signed in to. */
  readonly accountId: number | null;
}

/** The measured callers: staff of base role 0, the owner of the largest account, staff with many grants. */
export interface SignedIn {
  readonly root: BenchCaller;
  readonly owner: BenchCaller;
  readonly staff: BenchCaller;
}

const answer = z.object({ token: z.string(), userId: z.number(), accountId: z.number().nullable() });

/** Signs in a generated or demonstration member, to act in the login's account or in none. */
export async function signInAs(
  origin: string,
  email: string,
  { inAccount }: { inAccount: boolean },
): Promise<BenchCaller> {
  const response = await fetch(`${origin}/webauthenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMONSTRATION_PASSWORD }),
  });
  if (!response.ok) throw new Error(`${email} could not sign in: ${response.status}`);
  const { token, userId, accountId } = answer.parse(await response.json());
  return { userId, accountId, headers: { token, ...(inAccount ? { accountid: String(accountId) } : {}) } };
}
