import { AppError } from '@gatehouse/auth-core';
import type { BillingProvider } from '../billing-provider.js';
import { PROVIDER_TIMEOUT_MS, ProviderTimeout, withinTime } from './within-time.js';

/** The time limit for all provider requests of one call. */
export type ProviderDeadline = { readonly atMs: number };

export function providerDeadline(): ProviderDeadline {
  return { atMs: performance.now() + PROVIDER_TIMEOUT_MS };
}

/**
 * Calls a provider within the remaining time.
 * @throws {AppError} `provider_failed` for every failure
 */
export async function askProvider<Answer>(
  provider: BillingProvider,
  deadline: ProviderDeadline,
  question: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await withinTime(question(), Math.max(1, deadline.atMs - performance.now()));
  } catch (cause) {
    throw new AppError('provider_failed', { detail: provider, cause });
  }
}

/** Whether the outcome is unknown: the provider may have received the request and did not answer. */
export function isUnanswered(failure: unknown): boolean {
  if (!(failure instanceof AppError)) return true;
  const { cause } = failure;
  if (!(cause instanceof Error)) return false;
  const isNoConnection = 'type' in cause && cause.type === 'StripeConnectionError';
  return cause instanceof ProviderTimeout || isNoConnection || cause.message === 'fetch failed';
}
