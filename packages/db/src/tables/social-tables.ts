import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** Whether the provider still accepts the token of a connection. */
export type TokenStatus = 'valid' | 'expiring' | 'expired' | 'revoked' | 'error';

/** Identities at the six providers, with their encrypted tokens. */
export const defineSocialConnections = (v: Vocabulary) =>
  v.table(
    'social_connections',
    {
      id: v.id(),
      memberId: v.reference(),
      providerId: v.integer(),
      providerUserId: v.key(255),
      email: v.maybe.string(320),
      displayName: v.maybe.string(255),
      accessToken: v.maybe.secret(),
      refreshToken: v.maybe.secret(),
      tokenStatus: v.string<TokenStatus>(16),
      scopes: v.maybe.string(1000),
      fbAccounts: v.maybe.json(),
      igAccounts: v.maybe.json(),
      lnAccounts: v.maybe.json(),
      twtAccounts: v.maybe.json(),
      detail: v.maybe.json(),
      expiresAtMs: v.maybe.instant(),
      renewDueAtMs: v.maybe.instant(),
      renewAttempts: v.integer().default(0),
      leaseToken: v.maybe.string(64),
      leaseUntilMs: v.maybe.instant(),
      lastError: v.maybe.string(500),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique(
        'an identity belongs to one member; finds the caller of a social login',
        'providerId',
        'providerUserId',
      ),
      index('lists the connections of a member', 'memberId', 'providerId'),
      index('claims the tokens that are due for renewal', 'renewDueAtMs'),
    ],
  );

/** The purpose of a one-use code of the social flows. */
export type SocialStatePurpose = 'login' | 'connect' | 'finish';

/** One-use states and connect codes; the payload (profile and tokens of a connection being made) is encrypted. */
export const defineSocialStates = (v: Vocabulary) =>
  v.table(
    'social_states',
    {
      stateKey: v.digest().primaryKey(),
      purpose: v.string<SocialStatePurpose>(16),
      providerId: v.integer(),
      memberId: v.maybe.reference(),
      sessionTokenKey: v.maybe.digest(),
      payload: v.maybe.secret(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [index('removes codes that have expired', 'expiresAtMs')],
  );

/** A provider's requests to delete a person's data. */
export const defineDeletionRequests = (v: Vocabulary) =>
  v.table(
    'deletion_requests',
    {
      id: v.id(),
      code: v.key(64),
      providerId: v.integer(),
      providerUserId: v.key(255),
      status: v.string<'pending' | 'completed'>(16),
      requestedAtMs: v.instant(),
      completedAtMs: v.maybe.instant(),
    },
    [
      unique('finds the request whose status page is asked for', 'code'),
      unique('a repeated request gets the code of the first', 'providerId', 'providerUserId'),
    ],
  );
