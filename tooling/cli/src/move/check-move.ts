import { findMovedRows, listMovedRows } from '@gatehouse/db/queries/moved-rows';
import type { CommandContext } from '../command.js';
import { holdsSecret } from '../holds-secret.js';
import { dataCipherIn } from '../operator-audit.js';
import { rolesIn } from '../with-database.js';
import { type Compared, findDifferences } from './find-differences.js';
import { placesIn } from './move-map.js';
import type { MovedKindName } from './moved-kinds.js';
import { readMovedRows } from './read-moved-rows.js';
import type { MoveInput } from './run-move.js';
import type { MovedRow } from './to-moved-row.js';

/** Keys read at once. */
const PAGE = 1_000;

/**
 * Compares the rows here with the replaced system: for every row, whether it was moved and has changed there since; for members,
 * accounts, memberships, grants and partners, every field, including secrets, of which it only says that they differ. Prints each
 * difference as a line of JSON, and their number in the last.
 * @returns the exit code: 1 if there is a difference
 */
export async function checkMove(context: CommandContext, input: MoveInput): Promise<number> {
  const { say } = context;
  const { db, old, map, arePlain, accepted } = input;
  const roles = rolesIn(context);
  const isOurSecret = (text: string) => holdsSecret(context.env, text);
  const cipher = dataCipherIn(context.env);
  let differences = 0;
  const tell = (line: object) => {
    differences += 1;
    say(JSON.stringify(line));
  };
  for (const { kind } of placesIn(map)) {
    const counts = { old: 0, here: 0 };
    for await (const rows of readMovedRows(old, kind, { map, arePlain, accepted, roles, isOurSecret })) {
      counts.old += rows.length;
      const moved = await findMovedRows(
        db,
        kind,
        rows.map(({ key }) => key),
      );
      counts.here += moved.size;
      const present: MovedRow[] = [];
      for (const row of rows) {
        const { key, record, problem } = row;
        const digest = moved.get(key)?.digest;
        if (digest === undefined)
          tell({ kind, key, is: 'missing', ...(problem === undefined ? {} : { problem }) });
        else if (!cipher.digests(JSON.stringify(record), `movedRow:${kind}:${key}`).includes(digest))
          tell({ kind, key, is: 'changed there since' });
        else present.push(row);
      }
      for (const line of await compare({ db, cipher, nowMs: Date.now() }, kind, present)) tell(line);
    }
    const gone = await countGone(input, kind, counts.here);
    if (counts.old !== counts.here || gone > 0) tell({ kind, is: 'count', ...counts, gone });
    say(JSON.stringify({ kind, is: 'compared', ...counts }));
  }
  say(JSON.stringify({ is: 'end', differences }));
  return differences === 0 ? 0 : 1;
}

async function compare(
  compared: Compared,
  kind: MovedKindName,
  rows: readonly MovedRow[],
): Promise<Record<string, unknown>[]> {
  const records = rows.flatMap(({ key, record }) =>
    record?.is === 'imported' ? [{ key, record: record.record }] : [],
  );
  const found = await findDifferences(
    compared,
    records.map(({ record }) => record),
  );
  return records.flatMap(({ key }, at): Record<string, unknown>[] => {
    const differences = found[at];
    if (differences === undefined) return [{ kind, key, is: 'not here any more' }];
    return differences.map((difference) => ({ kind, key, is: 'different', ...difference }));
  });
}

/** How many moved rows no longer exist there. */
async function countGone({ db }: MoveInput, kind: MovedKindName, seen: number): Promise<number> {
  let after = '';
  let all = 0;
  for (;;) {
    const keys = await listMovedRows(db, kind, { after, limit: PAGE });
    const last = keys.at(-1);
    if (last === undefined) return all - seen;
    all += keys.length;
    after = last;
  }
}
