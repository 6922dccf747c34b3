import type { ReactElement } from 'react';

/** An order of the rows. */
export interface Order {
  readonly name: string;
  readonly isDescending: boolean;
}

/** How the rows are sorted. */
export interface Sorting {
  /** The name of the order; undefined for the default order. */
  readonly order: string | undefined;
  onChange(next: string | undefined): void;
}

/** The order by a column that is in use. */
function usedOf(orders: readonly [Order, Order], { order }: Sorting): Order | undefined {
  return orders.find(({ name }) => name === order);
}

/** The state of a column's header for screen readers. */
export function ariaSort(orders: readonly [Order, Order], sorting: Sorting) {
  const used = usedOf(orders, sorting);
  if (used === undefined) return {};
  return { 'aria-sort': used.isDescending ? 'descending' : 'ascending' } as const;
}

/** The header of a column that rows can be sorted by: its first order, its second, and none. */
export function SortButton({
  title,
  orders,
  sorting,
  isStacked = false,
}: {
  readonly title: string;
  readonly orders: readonly [Order, Order];
  readonly sorting: Sorting;
  /** Whether a phone hides it: above such tables is a list of the orders. */
  readonly isStacked?: boolean;
}): ReactElement {
  const used = usedOf(orders, sorting);
  const [first, second] = orders;
  const next = used === undefined ? first : used === first ? second : undefined;
  return (
    <button
      type="button"
      className={`-my-1 inline-flex min-h-6 cursor-pointer items-center gap-1 underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current ${used === undefined ? '' : 'font-semibold text-ink'} ${isStacked ? 'max-rows:hidden' : ''}`}
      onClick={() => sorting.onChange(next?.name)}
    >
      {title}
      {used === undefined ? null : <span aria-hidden="true">{used.isDescending ? '↓' : '↑'}</span>}
    </button>
  );
}
