import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

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

/** The participants of conversations. */
export const defineParticipants = (v: Vocabulary) =>
  v.table(
    'participants',
    {
      id: v.id(),
      conversationId: v.reference(),
      memberId: v.reference(),
      joinedAtMs: v.instant(),
    },
    [
      unique('a member takes part once; decides who may read a conversation', 'conversationId', 'memberId'),
      index('pages through the conversations of a member', 'memberId', 'conversationId'),
    ],
  );

/** The messages of conversations. */
export const defineMessages = (v: Vocabulary) =>
  v.table(
    'messages',
    {
      id: v.id(),
      conversationId: v.reference(),
      memberId: v.reference(),
      body: v.text(),
      createdAtMs: v.instant(),
    },
    [
      index('pages through the messages of a conversation, oldest first', 'conversationId', 'id'),
      index('pages through what one member said in a conversation', 'conversationId', 'memberId', 'id'),
      index('lists all that one member said, for their export', 'memberId', 'id'),
    ],
  );
