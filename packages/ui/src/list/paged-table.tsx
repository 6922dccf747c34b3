import type { ComponentProps, ReactElement } from 'react';
import { QueryView } from '../screen/asked.js';
import { t } from '../screen/words.js';
import { DataTable } from '../table/data-table.js';
import { More, type usePages } from './paged-list.js';

/** A list of the service as a table, with the number of rows and the next page. Its rows are stacks on a phone. */
export function PagedTable<Row extends { readonly id: number }>({
  list,
  none,
  ...table
}: {
  readonly list: ReturnType<typeof usePages<Row>>;
  /** What is shown in place of a table without rows. */
  readonly none: string;
} & Omit<ComponentProps<typeof DataTable<Row>>, 'rows'>): ReactElement {
  return (
    <QueryView answer={list} isPart>
      {(rows) => (
        <div aria-busy={list.isPlaceholderData}>
          {rows.length === 0 ? (
            <p role="status" className="border-t-2 border-ink bg-card p-3 text-quiet">
              {none}
            </p>
          ) : (
            <>
              <p role="status" className="pb-2 text-quiet">
                {t(list.hasNextPage ? 'rows.shownMany' : 'rows.shown', { count: rows.length })}
              </p>
              <DataTable rows={rows} isStacked hasMore={list.hasNextPage} {...table} />
            </>
          )}
          <More of={list} />
        </div>
      )}
    </QueryView>
  );
}
