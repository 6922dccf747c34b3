import { AppError } from '@gatehouse/auth-core';
import { findBillingCheckout } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { BILLING_PROVIDERS } from '../billing-provider.js';
import { askProvider, providerDeadline } from './ask-provider.js';
import { requireOver } from './require-over.js';

/** The longest wait for a provider whose key was removed. */
const LATE_MS = 86_400_000;

/**
 * Ends an open checkout, so that nobody pays for an account about to be closed.
 * @throws {AppError} `subscribed` if it has just been paid, `provider_failed`
 */
export async function endUnpaidCheckout(services: Services, accountId: number): Promise<void> {
  const row = await findBillingCheckout(services.db, accountId);
  const { openProvider = null, checkoutId = null, expiresAtMs = null } = row ?? {};
  const provider = BILLING_PROVIDERS.find((each) => each === openProvider);
  // Only the provider can tell whether it has ended: Paddle's transactions do not expire, and our clock may
  // be wrong.
  if (provider === undefined || checkoutId === null) return;
  const loadApi = services.billing.apis[provider];
  const isLongOver = expiresAtMs === null || expiresAtMs + LATE_MS < services.now();
  if (!loadApi && isLongOver) return;
  if (!loadApi) throw new AppError('provider_failed', { detail: `no API key of ${provider}` });
  const api = await loadApi();
  const end = await askProvider(provider, providerDeadline(), () => api.endCheckout(checkoutId));
  if (end !== 'ended') await requireOver(services, provider, end);
}
