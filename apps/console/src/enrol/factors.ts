import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../client.js';
import type { Proof } from './proof-step.js';

export type Factors = AdminOutputs['factor']['list']['data'];

export const factorsQuery = queryOptions({
  queryKey: ['me', 'factors'],
  queryFn: async ({ signal }) => (await gatehouse.api.factor.list.query(undefined, { signal })).data,
});

/** Whether the person has a passkey or an authenticator app. */
export function hasFactor({ totp, passkeys }: Pick<Factors, 'totp' | 'passkeys'>): boolean {
  return totp !== null || passkeys > 0;
}

/** What a step that adds a factor needs. */
export interface Adding {
  readonly factors: Factors;
  readonly proof: Proof | undefined;
  readonly onProofRefused: () => void;
  /** Called once the factor is added, with new backup codes if there are any. */
  readonly onAdded: (backupCodes: readonly string[]) => void;
}

/** Adds a factor. If the service refuses its proof, another one is asked for. */
export async function addWith({ onProofRefused }: Adding, add: () => Promise<void>): Promise<void> {
  try {
    await add();
  } catch (error) {
    if (!isGatehouseError(error, 'proof_required')) throw error;
    onProofRefused();
  }
}

type Codes = readonly string[];

/**
 * Adds a factor once, although the answer may get lost.
 * @returns a function that adds one and resolves to the backup codes that nobody has seen yet; `isAdded` compares the current
 * factors with those before the first attempt
 */
export function useAddOnce(
  factors: Factors,
): (
  add: () => Promise<Codes | undefined>,
  isAdded: (now: Factors, before: Factors) => boolean,
  signal: AbortSignal,
) => Promise<Codes> {
  const once = useOnce();
  // A page that comes back to the front reads the factors again.
  const [before] = useState(factors);
  return async (add, isAdded, signal) => {
    let codes: Codes | undefined;
    await once(
      async () => {
        codes = (await add()) ?? [];
      },
      async () => isAdded((await gatehouse.api.factor.list.query(undefined, { signal })).data, before),
    );
    if (codes === undefined && before.backupCodesLeft === 0) {
      // The answer with the first ones got lost.
      const { data } = await withReauth(() => gatehouse.api.factor.newBackupCodes.mutate({}, { signal }));
      codes = data.backupCodes;
    }
    return codes ?? [];
  };
}
