import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/**
 * Which members a partner may sign on, and whether the member has consented to more than the accounts it
 * created.
 */
export const definePartnerMembers = (v: Vocabulary) =>
  v.table(
    'partner_members',
    {
      id: v.id(),
      partnerId: v.reference(),
      memberId: v.reference(),
      linkedAtMs: v.instant(),
      consentedAtMs: v.maybe.instant(),
      /**
       * When it stopped counting because the owner of the member's address took the member over. Null once they have
       * decided.
       */
      heldSinceMs: v.maybe.instant(),
    },
    [
      unique(
        'one link per partner and member; decides whether a partner may sign a member on',
        'partnerId',
        'memberId',
      ),
      index('lists the partners of a member', 'memberId'),
    ],
  );
