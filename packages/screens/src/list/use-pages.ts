import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

/**
 * A list of the service, page by page.
 * @param keepsPrevious whether what was listed before stays until the answer to other filters is there
 */
export function usePages<Row>(
  queryKey: readonly unknown[],
  ask: (page: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
  { keepsPrevious = false } = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}
