import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The tenants: what members work in and what is billed. */
export const defineAccounts = (v: Vocabulary) =>
  v.table(
    'accounts',
    {
      id: v.id(),
      name: v.string(255),
      nameKey: v.key(640),
      ownerId: v.reference(),
      createdByPartnerId: v.maybe.reference(),
      isDeleted: v.flag().default(false),
      deletedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      index('searches accounts by the beginning of the name', 'nameKey', 'id'),
      index('lists the accounts of one owner', 'ownerId', 'id'),
      index('lists the accounts one partner created', 'createdByPartnerId', 'id'),
    ],
  );
