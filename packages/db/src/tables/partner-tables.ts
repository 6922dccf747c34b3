import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** Other services that register and sign on their own users. */
export const definePartners = (v: Vocabulary) =>
  v.table(
    'partners',
    {
      id: v.id(),
      name: v.string(128),
      nameKey: v.key(255),
      // The partnerId in the replaced system, if it is not the name.
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

/** The encrypted secrets of partners: one, or two while a rotation lasts. */
export const definePartnerSecrets = (v: Vocabulary) =>
  v.table(
    'partner_secrets',
    {
      id: v.id(),
      partnerId: v.reference(),
      secret: v.secret(),
      createdAtMs: v.instant(),
      retiresAtMs: v.maybe.instant(),
      lastUsedAtMs: v.maybe.instant(),
    },
    [index('reads the live secrets of a partner, older first', 'partnerId', 'id')],
  );

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
      /** When it was suspended because the owner of the member's address took the member over. Null once they have decided. */
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
