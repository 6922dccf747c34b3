import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { unique } from '../dialect/table-indexes.js';

/** The algorithms of keys that sign tokens for others (RFC 7518). */
export type SigningAlgorithm = 'ES256' | 'RS256';

/** The form of the access tokens that applications get for an API: one that it introspects, or one that it checks by itself. */
export type ApplicationTokens = 'opaque' | 'jwt';

/** Keys whose public part is at `/oauth/jwks`. */
export const defineSigningKeys = (v: Vocabulary) =>
  v.table(
    'signing_keys',
    {
      id: v.id(),
      kid: v.key(64),
      algorithm: v.string<SigningAlgorithm>(8),
      /** The public key as a JWK. */
      publicKey: v.json<Record<string, unknown>>(),
      /** The private key in PKCS #8, encrypted. */
      privateKey: v.secret(),
      createdAtMs: v.instant(),
      /** Since when it signs; null before. */
      promotedAtMs: v.maybe.instant(),
      /** When it stopped. It stays published for a while. */
      retiredAtMs: v.maybe.instant(),
    },
    [unique('one key per kid', 'kid')],
  );

/** APIs of the product that take access tokens. */
export const defineResources = (v: Vocabulary) =>
  v.table(
    'resources',
    {
      id: v.id(),
      origin: v.key(320),
      name: v.string(80),
      ttlSeconds: v.integer(),
      /** The machine of the staff whose keys may introspect its tokens. */
      machineId: v.maybe.reference(),
      applicationTokens: v.string<ApplicationTokens>(8),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [unique('one API per origin; finds the audience of a token', 'origin')],
  );
