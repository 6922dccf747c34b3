import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Invalid tokens: ended ones without a session row, and used one-use tokens. */
export const defineRevocations = (v: Vocabulary) =>
  v.table(
    'revocations',
    {
      tokenKey: v.digest().primaryKey(),
      expiresAtMs: v.instant(),
    },
    [index('removes revocations whose token has expired', 'expiresAtMs')],
  );
