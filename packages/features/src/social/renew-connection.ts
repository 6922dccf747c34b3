import { randomId, SealedDataRefused } from '@gatehouse/auth-core';
import {
  type ClaimedConnection,
  claimConnection,
  listDueConnections,
  listStaleConnections,
  type RenewalOutcome,
  type StoredTokens,
  setRenewalOutcome,
  setStoredTokens,
} from '@gatehouse/db/queries/renew-connections';
import { removeExpiredSocialStates } from '@gatehouse/db/queries/social-states';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { backoffMs } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';
import { findSocialProviderById } from '../core/social-providers/social-providers.js';
import { ProviderError } from './ask-social-provider.js';
import { type ConfiguredProvider, findConfiguredProvider } from './configured-provider.js';
import { tokenSchedule } from './connection-view.js';
import { connectionSecretContext } from './proven-identity.js';
import { type GrantParameters, type ProviderTokens, requestTokens } from './token-answer.js';

/** After this the renewal of a dead node is free again; longer than any provider request. */
const LEASE_MS = 60_000;
const RETRIES = { firstMs: 30_000, longestMs: 3_600_000 };
const MAX_ATTEMPTS = 24;
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
  if (claimed.renewAttempts + 1 >= MAX_ATTEMPTS) return { tokenStatus: 'error', renewDueAtMs: null, reason };
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

const AT_ONCE = 10;

/** Renews provider tokens before they expire. */
export const connectionRenewal: Job<Services> = {
  name: 'social-renewal',
  everyMs: 30_000,
  async run(services) {
    const due = await listDueConnections(services.db, { nowMs: services.now(), limit: AT_ONCE });
    const renewed = await Promise.all(due.map((id) => renewConnection(services, id)));
    return renewed.filter(Boolean).length;
  },
};

const SECRETS_AT_ONCE = 100;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts provider tokens that still use it, so that it
 * can be removed. Tokens that no known key decrypts are marked and left unchanged.
 */
export const connectionResealing: Job<Services> = {
  name: 'social-resealing',
  everyMs: 60 * 60_000,
  restsBetweenRuns: true,
  async run(services) {
    if (services.config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const { currentPrefix } = services.cipher;
    const stale = await listStaleConnections(services.db, { currentPrefix, limit: SECRETS_AT_ONCE });
    for (const row of stale) await setStoredTokens(services.db, row, sealedAnew(services, row));
    return stale.length;
  },
};

function sealedAnew({ cipher }: Services, row: StoredTokens) {
  const anew = (sealed: string | null, column: 'accessToken' | 'refreshToken') => {
    const context = connectionSecretContext(row, column);
    return sealed === null ? null : cipher.seal(cipher.open(sealed, context), context);
  };
  try {
    return {
      accessToken: anew(row.accessToken, 'accessToken'),
      refreshToken: anew(row.refreshToken, 'refreshToken'),
    };
  } catch (error) {
    if (error instanceof SealedDataRefused) return null;
    throw error;
  }
}

const EXPIRED_AT_ONCE = 500;

/** Removes expired one-use codes of the social flows, with their waiting identities. */
export const socialRetention: Job<Services> = {
  name: 'social-retention',
  everyMs: 60_000,
  run: (services) =>
    removeExpiredSocialStates(services.db, { nowMs: services.now(), limit: EXPIRED_AT_ONCE }),
};
