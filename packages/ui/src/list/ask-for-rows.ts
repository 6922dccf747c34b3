export interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

/**
 * A page with rows, if there are any. A page of a search that ran out of time is empty although there may be more; then the
 * page behind it is asked for.
 */
export async function askForRows<Found extends Page<unknown>>(
  ask: (page: { cursor?: string }) => Promise<Found>,
  cursor: string | null = null,
): Promise<Found> {
  const found = await ask(cursor === null ? {} : { cursor });
  const { nextCursor } = found.page;
  return found.data.length === 0 && nextCursor !== null ? askForRows(ask, nextCursor) : found;
}
