import type { ReactElement } from 'react';
import { Button } from '../parts/button.js';
import { t } from '../screen/words.js';

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
