import { randomId, SealedDataRefused } from '@gatehouse/auth-core';
import {
  type ClaimedConnection,
  claimConnection,
  type RenewalOutcome,
  setRenewalOutcome,
} from '@gatehouse/db';
import { backoffMs } from '@gatehouse/runtime/jobs/backoff';
import type { Services } from '../core/context.js';
import { findSocialProviderById } from '../core/social-providers/social-providers.js';
import { type ConfiguredProvider, findConfiguredProvider } from './configured-provider.js';
import { connectionSecretContext } from './connection-secret-context.js';
import { ProviderError } from './provider-error.js';
import { type GrantParameters, requestTokens } from './request-tokens.js';
import type { ProviderTokens } from './token-answer.js';
import { tokenSchedule } from './token-schedule.js';

/** After this the renewal of a dead node is free again; longer than any provider request. */
const LEASE_MS = 60_000;
const RETRIES = { firstMs: 30_000, longestMs: 3_600_000 };
const MOST_ATTEMPTS = 24;
const HOUR_MS = 60 * 60_000;

/**
 * Renews a connection's tokens if they are due and nobody else is renewing them. For any number of callers on
 * any nodes the provider is called once, because several providers accept a refresh token only once.
 * @returns whether this call did the renewal, successful or not
 */
export async function renewConnection(services: Services, connectionId: number): Promise<boolean> {
  const leaseToken = randomId();
  const nowMs = services.now();
  const claimed = await claimConnection(services.db, {
    id: connectionId,
    leaseToken,
    leaseUntilMs: nowMs + LEASE_MS,
    nowMs,
  });
  if (!claimed) return false;
  const outcome = await attempt(services, claimed);
  await setRenewalOutcome(services.db, { id: claimed.id, leaseToken }, { ...outcome, nowMs: services.now() });
  if (outcome.tokenStatus === 'revoked' || outcome.tokenStatus === 'error') {
    services.log.notice(`connection.${outcome.tokenStatus}`, { job: 'social-renewal', id: claimed.id });
  }
  return true;
}

async function attempt(services: Services, claimed: ClaimedConnection): Promise<RenewalOutcome> {
  const provider = findSocialProviderById(claimed.providerId);
  const configured = provider && findConfiguredProvider(services.config, provider);
  if (!configured) return postponed(services, claimed, HOUR_MS, 'provider not configured');
  try {
    const grant = grantFor(services, configured, claimed);
    if (!grant) return runningOut(services, claimed);
    return renewed(services, claimed, await requestTokens(configured, grant));
  } catch (error) {
    if (error instanceof SealedDataRefused) {
      return { tokenStatus: 'error', renewDueAtMs: null, reason: 'not readable' };
    }
    if (!(error instanceof ProviderError)) throw error;
    return failed(services, claimed, configured, error);
  }
}

/** The token for the renewal; undefined if the provider gave none. */
function grantFor(
  { cipher, now }: Services,
  { renewalGrant }: ConfiguredProvider,
  claimed: ClaimedConnection,
): GrantParameters | undefined {
  const { accessToken, refreshToken, expiresAtMs } = claimed;
  if (renewalGrant === 'fb_exchange_token') {
    const isOver = expiresAtMs !== null && expiresAtMs <= now();
    if (accessToken === null || isOver) return undefined;
    const token = cipher.open(accessToken, connectionSecretContext(claimed, 'accessToken'));
    return { grant_type: renewalGrant, fb_exchange_token: token };
  }
  if (refreshToken === null) return undefined;
  const token = cipher.open(refreshToken, connectionSecretContext(claimed, 'refreshToken'));
  return { grant_type: renewalGrant, refresh_token: token };
}

function renewed(
  { cipher, now }: Services,
  claimed: ClaimedConnection,
  tokens: ProviderTokens,
): RenewalOutcome {
  const { accessToken, refreshToken } = tokens;
  const contextOf = (column: 'accessToken' | 'refreshToken') => connectionSecretContext(claimed, column);
  return {
    tokenStatus: 'valid',
    accessToken: cipher.seal(accessToken, contextOf('accessToken')),
    refreshToken: refreshToken === null ? null : cipher.seal(refreshToken, contextOf('refreshToken')),
    ...tokenSchedule(tokens, now()),
  };
}

/** Nothing can be renewed; only the status changes: expiring, or expired. */
function runningOut(services: Services, { expiresAtMs }: ClaimedConnection): RenewalOutcome {
  if (expiresAtMs !== null && services.now() < expiresAtMs) {
    return { tokenStatus: 'expiring', renewDueAtMs: expiresAtMs, reason: null };
  }
  return { tokenStatus: 'expired', renewDueAtMs: null, reason: null };
}

function failed(
  services: Services,
  claimed: ClaimedConnection,
  { revocationCodes }: ConfiguredProvider,
  { fault, code = '' }: ProviderError,
): RenewalOutcome {
  if (fault === 'refused' && revocationCodes.includes(code)) {
    return { tokenStatus: 'revoked', renewDueAtMs: null, reason: code };
  }
  const reason = [fault, code].filter(Boolean).join(' ');
  if (claimed.renewAttempts + 1 >= MOST_ATTEMPTS) return { tokenStatus: 'error', renewDueAtMs: null, reason };
  return postponed(services, claimed, backoffMs(RETRIES, claimed.renewAttempts + 1), reason);
}

function postponed(
  { now }: Services,
  { expiresAtMs }: ClaimedConnection,
  pauseMs: number,
  reason: string,
): RenewalOutcome {
  const nowMs = now();
  const isOver = expiresAtMs !== null && expiresAtMs <= nowMs;
  return { tokenStatus: isOver ? 'expired' : 'expiring', renewDueAtMs: nowMs + pauseMs, reason };
}
