import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../client.js';
import type { Proof } from './proof-step.js';

export type Factors = AdminOutputs['factor']['list']['data'];

export const factorsQuery = queryOptions({
  queryKey: ['me', 'factors'],
  queryFn: async ({ signal }) => (await gatehouse.api.factor.list.query(undefined, { signal })).data,
});

/** Whether somebody has a passkey or an authenticator app. */
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
