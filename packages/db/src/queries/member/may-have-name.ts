import { isNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { contains } from '../text/contains.js';

/**
 * True for memberships whose member may have the text in the username. The name in the membership's index is
 * not always known yet.
 */
export function mayHaveName(
  { tables: { memberships } }: Database,
  nameKey: string | undefined,
): SQL | undefined {
  if (nameKey === undefined) return undefined;
  return or(isNull(memberships.name), contains(memberships.name, nameKey));
}
