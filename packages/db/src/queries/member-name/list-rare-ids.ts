import { and, gte, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { firstTextAfter } from '../text/first-text-after.js';
import { PART_LENGTH } from './name-parts.js';

const FEW = 1_000;

/**
 * The ids of all members who may have the text in the username, where they are few; undefined where they are many. The
 * names have still to be compared.
 */
export async function listRareIds(db: Database, nameKey: string): Promise<number[] | undefined> {
  const { part, memberId } = db.tables.memberNameParts;
  const begin = [...nameKey].slice(0, PART_LENGTH).join('');
  const end = firstTextAfter(begin);
  const rows = await db
    .select({ memberId })
    .from(db.tables.memberNameParts)
    .where(and(gte(part, begin), end === undefined ? undefined : lt(part, end)))
    .limit(FEW + 1);
  return rows.length > FEW ? undefined : [...new Set(rows.map((row) => row.memberId))];
}
