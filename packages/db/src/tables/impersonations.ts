import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Who acted for which member, why, and until when. Its session says whether it goes on. */
export const defineImpersonations = (v: Vocabulary) =>
  v.table(
    'impersonations',
    {
      id: v.id(),
      /** The member of staff. */
      actorId: v.reference(),
      /** The actor's session epoch when it began; it is over with that. */
      actorEpoch: v.integer(),
      memberId: v.reference(),
      /** The account it was begun for; null for staff of every account who named none. */
      accountId: v.maybe.reference(),
      reason: v.string(500),
      mayWrite: v.flag(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      /** When its actor, or root, ended it. */
      endedAtMs: v.maybe.instant(),
      endedById: v.maybe.reference(),
    },
    [
      index('lists what one member of staff began', 'actorId', 'id'),
      index('lists who acted for a member', 'memberId', 'id'),
    ],
  );
