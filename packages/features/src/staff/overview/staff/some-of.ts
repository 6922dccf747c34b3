/** Lists of a page end here. */
export const MOST_SHOWN = 50;

/** A list of a page: its beginning, and how many there are in all. */
export interface SomeOf<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** Counts a list only where its beginning, of one more than is shown, is not all of it. */
export async function someOf<Row>(
  rows: readonly Row[],
  count: () => number | Promise<number>,
): Promise<SomeOf<Row>> {
  if (rows.length <= MOST_SHOWN) return { rows, count: rows.length };
  return { rows: rows.slice(0, MOST_SHOWN), count: await count() };
}
