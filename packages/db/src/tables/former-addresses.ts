import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Confirmed addresses that members have replaced, for the seven days in which they still hear of a recovery. */
export const defineFormerAddresses = (v: Vocabulary) =>
  v.table(
    'former_addresses',
    {
      id: v.id(),
      memberId: v.reference(),
      email: v.string(320),
      /** When another address replaced it. */
      untilMs: v.instant(),
    },
    [
      index('finds the address a member had some days ago', 'memberId', 'untilMs'),
      index('removes addresses that nobody needs any more', 'untilMs'),
    ],
  );
