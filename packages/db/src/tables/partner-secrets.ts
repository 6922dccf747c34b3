import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

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
