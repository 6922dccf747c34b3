import { searchWord, searchWords } from '@gatehouse/auth-core';
import { type Found, searchDeadline } from '@gatehouse/db/queries/search-in-portions';
import type { PeopleSearch, SearchPage, WithCursor } from '@gatehouse/db/queries/search-people';
import { idCursor, openCursor, toSearchPage } from '@gatehouse/http/page';
import type { Services } from '../core/context.js';

/** Finds members by words: each is part of the username, first or last name or e-mail address, or the id. */
export function peopleSearch(text: string): PeopleSearch {
  return { words: searchWords(text), exact: searchWord(text) };
}

interface PageOfSearch {
  readonly limit: number;
  readonly cursor?: string | null | undefined;
  /** Whether nothing is searched for, so that the first rows are the page and nobody waits for a search. */
  readonly findsAll?: boolean;
}

/**
 * One page of a search, when the node has room for it. It ends early if its time is up; its cursor then leads to the rest.
 * @throws {AppError} `unavailable` if too many searches wait
 */
export async function searchPage<Row, View>(
  { db, searches }: Pick<Services, 'db' | 'searches'>,
  { limit, cursor, findsAll = false }: PageOfSearch,
  read: (page: SearchPage) => Promise<Found<WithCursor<Row>>>,
  view: (row: Row) => View,
) {
  const [after] = openCursor(cursor, idCursor) ?? [0];
  const readPage = () => read({ after, limit: limit + 1, deadlineMs: searchDeadline(db) });
  const found = await (findsAll ? readPage() : searches.run(readPage));
  return toSearchPage(found, limit, (row) => [typeof row === 'number' ? row : row.cursor], view);
}
