export interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

/**
 * A page with rows, if there are any. A search that runs out of time returns the rows it found so far, perhaps none, and a cursor
 * to continue from. While there are none, this continues.
 */
export async function askForRows<Found extends Page<unknown>>(
  ask: (page: { cursor?: string }) => Promise<Found>,
  cursor: string | null = null,
): Promise<Found> {
  const found = await ask(cursor === null ? {} : { cursor });
  const { nextCursor } = found.page;
  return found.data.length === 0 && nextCursor !== null ? askForRows(ask, nextCursor) : found;
}

/**
 * The first rows of a search: at least `enough`, or all there are. A page with fewer rows is not the end while it has a cursor.
 */
export async function readRows<Row>(
  ask: (page: { cursor?: string }) => Promise<Page<Row>>,
  enough: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const { data, page }: Page<Row> = await ask(cursor === null ? {} : { cursor });
    rows.push(...data);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < enough);
  return rows;
}
