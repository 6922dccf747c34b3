import { AppError } from '@gatehouse/auth-core';
import type { BillingProvider } from '../core/billing/billing-event.js';

/** The time limit for all requests of one provider call, in milliseconds. */
export const PROVIDER_TIMEOUT_MS = 8_000;

/** A provider has not answered in time. */
class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';
}

/**
 * Limits the wait for an answer, because the SDKs retry or wait forever.
 * @throws {ProviderTimeout}
 */
export async function withinTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderTimeout('no answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

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
