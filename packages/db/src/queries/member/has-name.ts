import { and, isNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { contains } from '../text/contains.js';

/**
 * True of members whose username has the text in it, in a statement that joins them to their memberships. The name
 * beside a membership decides first, because it stands in the index; where it is not known yet the member is asked.
 */
export function hasName(
  { tables: { members, memberships } }: Database,
  nameKey: string | undefined,
): SQL | undefined {
  if (nameKey === undefined) return undefined;
  return and(
    or(isNull(memberships.name), contains(memberships.name, nameKey)),
    contains(members.usernameKey, nameKey),
  );
}
