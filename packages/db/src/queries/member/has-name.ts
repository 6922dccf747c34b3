import { and, inArray, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { contains } from '../text/contains.js';

/** Leaves only members whose username has a text in it. */
export interface NameFilter {
  /** Normalised. */
  nameKey: string;
  /** Those who can have it at all, where they are known and few. */
  rareIds?: readonly number[] | undefined;
}

/** True of members whom the filter leaves, in a statement that joins them to their memberships. */
export function hasName(db: Database, name: NameFilter | undefined): SQL | undefined {
  if (name === undefined) return undefined;
  const { members, memberships } = db.tables;
  return and(
    name.rareIds ? inArray(memberships.memberId, [...name.rareIds]) : undefined,
    contains(members.usernameKey, name.nameKey),
  );
}
