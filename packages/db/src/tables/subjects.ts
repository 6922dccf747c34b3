import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The subjects of an account's conversations. */
export const defineSubjects = (v: Vocabulary) =>
  v.table(
    'subjects',
    {
      id: v.id(),
      accountId: v.reference(),
      name: v.string(255),
      isDeleted: v.flag().default(false),
      deletedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
    },
    [index('pages through the subjects of an account', 'accountId', 'isDeleted', 'id')],
  );
