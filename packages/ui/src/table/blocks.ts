/** So many rows come into the document, and leave it, at once: few enough for one frame, whose longest part is their layout. */
export const BLOCK_ROWS = 10;

/** The rows in blocks. */
export function blocksOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, index) =>
    rows.slice(index * BLOCK_ROWS, (index + 1) * BLOCK_ROWS),
  );
}

/** Whether two blocks have the same rows. */
export function isSameBlock(one: readonly object[], other: readonly object[]): boolean {
  return one === other || (one.length === other.length && one.every((row, index) => row === other[index]));
}
