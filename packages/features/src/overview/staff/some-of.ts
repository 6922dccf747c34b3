/** Lists of a page end here. */
export const MOST_SHOWN = 50;

/** A list of a page: its beginning, and how many there are in all. */
export interface SomeOf<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** Reads the beginning of a list, and counts only where that is not all of it. */
export async function someOf<Row>(
  read: (limit: number) => Promise<readonly Row[]>,
  count: () => Promise<number>,
): Promise<SomeOf<Row>> {
  const rows = await read(MOST_SHOWN + 1);
  if (rows.length <= MOST_SHOWN) return { rows, count: rows.length };
  return { rows: rows.slice(0, MOST_SHOWN), count: await count() };
}
