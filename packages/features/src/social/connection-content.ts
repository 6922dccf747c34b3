import type { DataCipher } from '@gatehouse/auth-core';
import type { ConnectionContent } from '@gatehouse/db';
import { connectionSecretContext } from './connection-secret-context.js';
import type { ProvenIdentity } from './proven-identity.js';
import { tokenSchedule } from './token-schedule.js';

const LONGEST_SCOPES = 1000;

/** An identity in the form of a connection, with encrypted tokens. */
export function connectionContent(
  { cipher, nowMs }: { cipher: DataCipher; nowMs: number },
  { providerId, profile, tokens }: ProvenIdentity,
): ConnectionContent {
  const { providerUserId, email, emailVerified, displayName, firstName, lastName, username, pictureUrl } =
    profile;
  const seal = (token: string, column: 'accessToken' | 'refreshToken') =>
    cipher.seal(token, connectionSecretContext({ providerId, providerUserId }, column));
  return {
    email,
    displayName,
    accessToken: seal(tokens.accessToken, 'accessToken'),
    refreshToken: tokens.refreshToken === null ? null : seal(tokens.refreshToken, 'refreshToken'),
    tokenStatus: 'valid',
    scopes: tokens.scopes?.join(' ').slice(0, LONGEST_SCOPES) ?? null,
    fbAccounts: profile.accounts.fbAccounts ?? null,
    igAccounts: profile.accounts.igAccounts ?? null,
    lnAccounts: profile.accounts.lnAccounts ?? null,
    twtAccounts: profile.accounts.twtAccounts ?? null,
    detail: { displayName, firstName, lastName, username, pictureUrl, email, emailVerified },
    ...tokenSchedule(tokens, nowMs),
  };
}
