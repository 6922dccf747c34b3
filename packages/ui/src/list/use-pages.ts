import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

/** So many pages are read again because they are old. Of longer lists only those that a change made stale. */
const MOST_READ_AGAIN = 5;

interface KeptList {
  readonly state: {
    readonly isInvalidated: boolean;
    readonly data?: { readonly pages: readonly unknown[] } | undefined;
  };
}

const isWorthReading = ({ state }: KeptList): boolean =>
  state.isInvalidated || (state.data?.pages.length ?? 0) <= MOST_READ_AGAIN;

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
    refetchOnMount: isWorthReading,
    refetchOnWindowFocus: isWorthReading,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}
