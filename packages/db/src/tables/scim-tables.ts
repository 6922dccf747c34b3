import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** What the directories of accounts authenticate with. */
export const defineScimTokens = (v: Vocabulary) =>
  v.table(
    'scim_tokens',
    {
      id: v.id(),
      accountId: v.reference(),
      name: v.string(80),
      /** The end of the token, for lists. */
      lastFour: v.string(4),
      /** SHA-256 of the token. */
      digest: v.digest(),
      createdById: v.reference(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      revokedAtMs: v.maybe.instant(),
      /** True to the minute. */
      lastUsedAtMs: v.maybe.instant(),
      /** When the mail about its end is due; null for none. */
      noticeAtMs: v.maybe.instant(),
    },
    [
      unique('finds the token of a call', 'digest'),
      index('lists the tokens of an account', 'accountId', 'id'),
      index('finds the tokens whose end is near', 'noticeAtMs'),
    ],
  );

/** The last requests of directories. */
export const defineScimRequests = (v: Vocabulary) =>
  v.table(
    'scim_requests',
    {
      id: v.id(),
      accountId: v.reference(),
      tokenId: v.reference(),
      atMs: v.instant(),
      method: v.string(8),
      /** Without its query, which may name people. */
      path: v.string(200),
      status: v.integer(),
      /** Why it was refused; null where it was not. */
      error: v.maybe.string(300),
    },
    [index('lists the requests of an account', 'accountId', 'id')],
  );
