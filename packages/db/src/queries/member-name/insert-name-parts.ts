import type { Database } from '../../database.js';
import { nameParts } from './name-parts.js';

const ROWS_AT_ONCE = 20_000;

/**
 * Writes the parts of very many names at once, in the order in which the table keeps them. For members who were
 * inserted with `searchedName` set; it is not one transaction.
 */
export async function insertNameParts(
  db: Database,
  members: readonly { id: number; usernameKey: string }[],
): Promise<void> {
  const rows = members.flatMap(({ id: memberId, usernameKey }) =>
    nameParts(usernameKey).map((row) => ({ ...row, memberId })),
  );
  rows.sort((a, b) => (a.part < b.part ? -1 : Number(a.part > b.part)));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db.insertMany(db.tables.memberNameParts, rows.slice(from, from + ROWS_AT_ONCE));
  }
}
