import { searchWord, searchWords } from '@gatehouse/auth-core';
import { type Found, searchDeadline } from '@gatehouse/db/queries/search-in-portions';
import type { PeopleSearch, SearchPage, WithCursor } from '@gatehouse/db/queries/search-people';
import { idCursor, openCursor, toSearchPage } from '@gatehouse/http/page';
import type { Context } from './context.js';

/** Finds members by words: each is part of the username, first or last name or e-mail address, or the id. */
export function peopleSearch(text: string): PeopleSearch {
  return { words: searchWords(text), exact: searchWord(text) };
}

interface PageOfSearch {
  readonly limit: number;
  readonly cursor?: string | null | undefined;
  /** Whether there is no search text, so that the first rows are the page and nobody waits for a search. */
  readonly findsAll?: boolean;
}

/**
 * Runs a search when the node has room for it; not at all if its caller has disconnected by then.
 * @throws {AppError} `unavailable` if too many searches wait
 */
export function runSearch<Row, Key>(
  { services: { db, searches }, call }: Pick<Context, 'services' | 'call'>,
  findsAll: boolean,
  read: (deadlineMs: number) => Promise<Found<Row, Key>>,
): Promise<Found<Row, Key>> {
  const run = async () =>
    call.facts.hasGone === true ? { rows: [], goesOnAfter: undefined } : read(searchDeadline(db));
  return findsAll ? run() : searches.run(run);
}

/** One page of a search by `runSearch`. It ends early if its time is up; its cursor then leads to the rest. */
export async function searchPage<Row, View>(
  ctx: Pick<Context, 'services' | 'call'>,
  { limit, cursor, findsAll = false }: PageOfSearch,
  read: (page: SearchPage) => Promise<Found<WithCursor<Row>>>,
  view: (row: Row) => View,
) {
  const [after] = openCursor(cursor, idCursor) ?? [0];
  const found = await runSearch(ctx, findsAll, (deadlineMs) => read({ after, limit: limit + 1, deadlineMs }));
  return toSearchPage(found, limit, (row) => [typeof row === 'number' ? row : row.cursor], view);
}
