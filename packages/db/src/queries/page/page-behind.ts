/**
 * Reads a page of a list that is ordered by a text, and by id where texts are equal, in two steps: the rest of the rows
 * whose text is that of the cursor, and then those beyond it. Each step is one range of an index, which a condition on
 * both columns at once is not on every database: a page deep in a list would cost as much as all before it.
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
