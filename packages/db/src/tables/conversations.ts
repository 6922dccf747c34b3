import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Conversations of an account. */
export const defineConversations = (v: Vocabulary) =>
  v.table(
    'conversations',
    {
      id: v.id(),
      accountId: v.reference(),
      subjectId: v.maybe.reference(),
      title: v.string(255),
      isDeleted: v.flag().default(false),
      createdAtMs: v.instant(),
      lastMessageAtMs: v.maybe.instant(),
    },
    [
      index('pages through the conversations of an account', 'accountId', 'isDeleted', 'id'),
      index('lists the conversations of a subject', 'subjectId', 'id'),
    ],
  );
