import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Other services that register and sign on their own users. */
export const definePartners = (v: Vocabulary) =>
  v.table(
    'partners',
    {
      id: v.id(),
      name: v.string(128),
      nameKey: v.key(255),
      // The partnerId of the replaced system, as it was given there, if it is not the name.
      externalId: v.maybe.key(128),
      appUrl: v.string(1000),
      isActive: v.flag().default(true),
      tokenDigest: v.maybe.digest(),
      tokenExpiresAtMs: v.maybe.instant(),
      tokensValidAfterMs: v.instant().default(0),
      lastUsedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one partner per name; finds the partner of a sign-in', 'nameKey'),
      unique('finds the partner of a partnerId of the replaced system', 'externalId'),
    ],
  );
