import { idCursor, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';

/** How many matches stand behind the page that is shown; 1000 stands for that many or more. */
export const moreBehind = z.int();

/** One page of a list by ascending id. It reads one extra row to know whether there is a next page. */
export async function pageById<Row extends { id: number }, View>(
  { limit, cursor }: { limit: number; cursor?: string | null | undefined },
  read: (page: { afterId: number; limit: number }) => Promise<Row[]>,
  view: (row: Row) => View,
) {
  const [afterId] = openCursor(cursor, idCursor) ?? [0];
  const rows = await read({ afterId, limit: limit + 1 });
  return toPage(rows, limit, (row) => [row.id], view);
}
