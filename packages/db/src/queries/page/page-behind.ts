/**
 * Reads a page of a list ordered by a text and then by id, in two steps: the remaining rows with the cursor's
 * text, then the rows after it. Each step is one index range. On some databases one condition on both columns
 * is not a range, and a deep page would cost as much as all pages before it.
 */
export async function pageBehind<Row>(
  limit: number,
  steps: {
    tied: (limit: number) => Promise<Row[]>;
    beyond: (limit: number) => Promise<Row[]>;
  },
): Promise<Row[]> {
  const tied = await steps.tied(limit);
  if (tied.length >= limit) return tied;
  return [...tied, ...(await steps.beyond(limit - tied.length))];
}
