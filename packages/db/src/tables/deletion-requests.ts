import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

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
