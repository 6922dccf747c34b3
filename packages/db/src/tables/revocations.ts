import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Tokens that open nothing any more: ended ones without a session row, and one-use tokens that were used. */
export const defineRevocations = (v: Vocabulary) =>
  v.table(
    'revocations',
    {
      tokenKey: v.digest().primaryKey(),
      expiresAtMs: v.instant(),
    },
    [index('removes revocations whose token has expired', 'expiresAtMs')],
  );
