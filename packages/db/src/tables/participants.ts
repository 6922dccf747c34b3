import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

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
