import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../parts/button.js';
import { t } from '../screen/words.js';
import { askForRows, type Page } from './ask-for-rows.js';

/** The maximum number of pages that are read again when they are old. Of longer lists only those that a change made stale. */
const MAX_READ_AGAIN = 5;

interface KeptList {
  readonly state: {
    readonly isInvalidated: boolean;
    readonly data?: { readonly pages: readonly unknown[] } | undefined;
  };
}

const isWorthReading = ({ state }: KeptList): boolean =>
  state.isInvalidated || (state.data?.pages.length ?? 0) <= MAX_READ_AGAIN;

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
    queryFn: ({ pageParam, signal }) => askForRows((page) => ask(page, signal), pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    refetchOnMount: isWorthReading,
    refetchOnWindowFocus: isWorthReading,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}

/** Shows the next page of a list, where there is one. */
export function More({
  of,
}: {
  readonly of: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
}): ReactElement | null {
  if (!of.hasNextPage) return null;
  return (
    <div className="p-3">
      <Button isBusy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {t('more')}
      </Button>
    </div>
  );
}

/** An action of one row of a list. Screen readers announce which row. */
export function RowAction({
  about,
  isBusy = false,
  isGrave = false,
  onClick,
  children,
}: {
  /** The subject of the row; absent if the words of the action say it. */
  readonly about?: string;
  readonly isBusy?: boolean;
  readonly isGrave?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <button
      type="button"
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
      className={`min-h-10 cursor-pointer font-semibold underline decoration-line underline-offset-4 hover:decoration-current aria-disabled:cursor-progress aria-disabled:opacity-70 rows:-my-0.5 rows:min-h-6 ${isGrave ? 'text-brick' : 'text-harbour'}`}
    >
      {children}
      {about === undefined ? null : <span className="sr-only"> {about}</span>}
    </button>
  );
}
