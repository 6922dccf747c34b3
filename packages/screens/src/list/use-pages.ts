import { useInfiniteQuery } from '@tanstack/react-query';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

/** A list of the service, page by page. */
export function usePages<Row>(
  queryKey: readonly unknown[],
  ask: (page: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}
