import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Addresses and devices of a member's recent logins, as digests. */
export const defineLoginFamiliarity = (v: Vocabulary) =>
  v.table(
    'login_familiarity',
    {
      id: v.id(),
      memberId: v.reference(),
      originKey: v.digest(),
      lastSuccessAtMs: v.instant(),
    },
    [
      unique('decides whether a login comes from a familiar place', 'memberId', 'originKey'),
      index('forgets places not used for long', 'lastSuccessAtMs'),
    ],
  );
