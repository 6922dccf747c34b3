import type { MainOutputs } from '@gatehouse/client-sdk';
import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../../client.js';

/** The second factors of whoever is signed in. */
export type Factors = MainOutputs['factor']['list']['data'];

export const factorsQuery = queryOptions({
  queryKey: ['you', 'factors'],
  queryFn: ({ signal }) => gatehouse.api.factor.list.query(undefined, { signal }),
});

type Stronger = Pick<Factors, 'totp' | 'passkeys'>;

/** Whether there is a factor that a mailbox is not. */
export function hasStronger({ totp, passkeys }: Stronger): boolean {
  return totp !== null || passkeys > 0;
}

function levelOf({ totp, passkeys }: Stronger): number {
  if (passkeys > 0) return 3;
  return totp === null ? 1 : 2;
}

/** Whether somebody lacks what an account, or their work, asks of them. */
export function fallsShort(factors: Factors): boolean {
  return factors.requiredBy !== null && levelOf(factors) < factors.requiredBy.level;
}

/** Why a factor cannot be removed, as the service decides it; undefined where it can. */
export function whyKept(factors: Factors, removed: 'totp' | 'passkey'): 'policy' | 'lastStep' | undefined {
  const { requiredBy, secondFactor, email } = factors;
  const after =
    removed === 'totp' ? { ...factors, totp: null } : { ...factors, passkeys: factors.passkeys - 1 };
  const kept = levelOf(after);
  if (requiredBy !== null && kept < levelOf(factors) && kept < requiredBy.level) return 'policy';
  return secondFactor && kept === 1 && !email ? 'lastStep' : undefined;
}
