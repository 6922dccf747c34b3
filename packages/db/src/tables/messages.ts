import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

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
