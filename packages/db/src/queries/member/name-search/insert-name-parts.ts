import type { Database } from '../../../database.js';
import { nameParts } from './name-parts.js';

const ROWS_PER_STATEMENT = 500;
const STATEMENTS_PER_TRANSACTION = 40;

/**
 * Inserts the parts of very many names in the table's own order. For members inserted with `searchedName` set;
 * it is not one transaction.
 */
export async function insertNameParts(
  db: Database,
  members: readonly { id: number; usernameKey: string }[],
): Promise<void> {
  const rows = members.flatMap(({ id, usernameKey }) =>
    nameParts(usernameKey).map(({ part, position }): PartRow => [part, id, position]),
  );
  rows.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const step = ROWS_PER_STATEMENT * STATEMENTS_PER_TRANSACTION;
  for (let from = 0; from < rows.length; from += step) {
    await db.transaction(async (tx) => {
      for (let at = from; at < Math.min(from + step, rows.length); at += ROWS_PER_STATEMENT) {
        await tx.write(insertion(rows.slice(at, at + ROWS_PER_STATEMENT)));
      }
    });
  }
}

type PartRow = [part: string, memberId: number, position: number];

/** Written by hand: the query builder takes longer to build it than the database takes to run it. */
function insertion(rows: readonly PartRow[]) {
  const values = rows.map(() => '(?, ?, ?)').join(', ');
  const statement = {
    sql: `insert into member_name_parts (part, member_id, position) values ${values}`,
    params: rows.flat(),
  };
  return { toSQL: () => statement };
}
