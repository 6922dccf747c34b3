import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../messages/translate.js';
import { between, Check, CheckAll, type Choice } from './choice.js';
import { BLOCK_ROWS, Block, blocksOf, Space, useDrawn } from './drawn-blocks.js';
import { ariaSort, type Order, SortButton, type Sorting } from './sort-button.js';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Classes of its cells, including the header. */
  readonly className?: string;
  /** Whether its cells are aligned at the end, as numbers are. */
  readonly isAtEnd?: boolean;
  /** Whether a stack repeats the title, because the value alone would not say what it is. */
  readonly isNamed?: boolean;
  /** The two orders by this column, the one for the first click first. Absent if rows cannot be sorted by it. */
  readonly orders?: readonly [Order, Order];
  /** One column has a link to the row, or a button that opens it; `tabIndex` belongs to it. */
  cell(row: Row, tabIndex: 0 | -1): ReactNode;
}

/** What a row shows below itself while it is open. A button in the row opens it. */
interface RowDetail<Row> {
  /** The id of the open row. */
  readonly open: number | undefined;
  show(row: Row): ReactNode;
}

/** The row at which a range begins, and the rows selected outside the range. */
interface Anchor {
  readonly index: number;
  readonly id: number | undefined;
  readonly before: ReadonlySet<number>;
}

/**
 * A table of any length: rows far from the visible part are not in the document, and their place is kept. Arrows move from row to
 * row, Enter opens one, Space and Shift with arrows select, Esc clears the selection.
 */
export function DataTable<Row extends { readonly id: number }>({
  label,
  columns,
  rows,
  nameOf,
  choice,
  sorting,
  detail,
  isStacked = false,
  onEnd,
  hasMore = onEnd !== undefined,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The name of a row for screen readers. */
  readonly nameOf: (row: Row) => string;
  /** Absent if rows cannot be selected. */
  readonly choice?: Choice;
  /** Absent if rows have one order. */
  readonly sorting?: Sorting;
  /** Absent if rows cannot be opened in place. The columns are others when another row is open. */
  readonly detail?: RowDetail<Row>;
  /** Whether the cells of a row are below each other on a phone, in place of side by side. */
  readonly isStacked?: boolean;
  /** Called when the last rows are near; absent if there are no more rows. */
  readonly onEnd?: (() => void) | undefined;
  /** Whether there are rows after the last one here, so that their number is unknown. */
  readonly hasMore?: boolean;
}): ReactElement {
  const table = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(0);
  const anchor = useRef<Anchor>(undefined);
  const blocks = useMemo(() => blocksOf(rows), [rows]);
  const { drawn, isAtEnd } = useDrawn(table, blocks);
  const stacked = isStacked ? STACKED : SIDE_BY_SIDE;
  const head = isStacked ? (choice === undefined ? HIDDEN_HEAD : HEAD_WITH_CHOICE) : SIDE_BY_SIDE_HEAD;
  const focused = Math.min(current, rows.length - 1);
  const focusedPlace = Math.floor(focused / BLOCK_ROWS);
  // The row that has or would get the focus is always drawn.
  const places = [...new Set([...drawn, focusedPlace])]
    .filter((place) => place >= 0 && place < blocks.length)
    .sort((one, other) => one - other);

  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);

  function choose(index: number, isRange: boolean): void {
    const row = rows[index];
    if (choice === undefined || row === undefined) return;
    if (isRange) {
      const { index: from, before } = anchorOr(index, choice.chosen);
      choice.onChange(new Set([...before, ...between(rows, from, index)]));
      return;
    }
    const next = new Set(choice.chosen);
    if (!next.delete(row.id)) next.add(row.id);
    anchor.current = { index, id: row.id, before: next };
    choice.onChange(next);
  }

  /**
   * Where a range begins. A selection from before other rows were shown, or that was cleared since, does not come back with it.
   */
  function anchorOr(index: number, chosen: ReadonlySet<number>): Anchor {
    const { current: last } = anchor;
    const isValid =
      last !== undefined &&
      rows[last.index]?.id === last.id &&
      [...last.before].every((id) => chosen.has(id));
    const begun = isValid ? last : { index, id: rows[index]?.id, before: chosen };
    anchor.current = begun;
    return begun;
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const index = indexOf(event.target);
    if (event.key === 'Escape' && choice !== undefined && choice.chosen.size > 0) {
      event.preventDefault();
      anchor.current = undefined;
      choice.onChange(new Set());
    }
    if (index === undefined) return;
    if (event.key === ' ' && choice !== undefined) {
      event.preventDefault();
      choose(index, event.shiftKey);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const link = step === 0 ? null : linkOf(table.current, index + step);
    if (!link) return;
    event.preventDefault();
    if (event.shiftKey && choice !== undefined) {
      anchorOr(index, choice.chosen);
      choose(index + step, true);
    } else
      anchor.current = choice && { index: index + step, id: rows[index + step]?.id, before: choice.chosen };
    link.focus();
  }

  /** A click on a box selects its row, with Shift all rows from the last one. */
  function onClick(event: MouseEvent<HTMLTableElement>): void {
    const index = indexOf(event.target);
    if (index === undefined || !(event.target instanceof HTMLInputElement)) return;
    choose(index, event.shiftKey);
  }

  return (
    <table
      ref={table}
      aria-label={label}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      className={`w-full table-fixed border-t-2 border-ink bg-card ${stacked.table}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={({ target }) => {
        const index = indexOf(target);
        if (index !== undefined) setCurrent(index);
      }}
    >
      <thead className={head.section}>
        <tr className={`border-b border-line ${head.row}`} aria-rowindex={1}>
          {choice === undefined ? null : (
            <th scope="col" className={`w-10 py-2 ps-2 text-start ${head.choice}`}>
              <CheckAll rows={rows} choice={choice} label={t('ui.table.all')} />
            </th>
          )}
          {columns.map(({ key, title, className = '', isAtEnd = false, orders }) => (
            <th
              key={key}
              scope="col"
              {...(orders === undefined || sorting === undefined ? {} : ariaSort(orders, sorting))}
              className={`px-3 py-2 text-note font-normal text-quiet ${isAtEnd ? 'text-end' : 'text-start'} ${className} ${head.words}`}
            >
              {orders === undefined || sorting === undefined ? (
                title
              ) : (
                <>
                  {isStacked ? <span className="rows:hidden">{title}</span> : null}
                  <SortButton title={title} orders={orders} sorting={sorting} isStacked={isStacked} />
                </>
              )}
            </th>
          ))}
        </tr>
      </thead>
      {places.map((place, nth) => {
        const block = blocks[place] ?? [];
        const start = place * BLOCK_ROWS;
        const reached = place === focusedPlace ? focused : undefined;
        return (
          // Rows are only appended: a block is identified by its position.
          <Fragment key={place}>
            <Space blocks={blocks.slice((places[nth - 1] ?? -1) + 1, place)} />
            <Block
              rows={block}
              drawnFor={[columns, choice?.chosen, reached]}
              draw={() =>
                block.map((row, index) => {
                  const isChosen = choice?.chosen.has(row.id) === true;
                  const isOpen = detail?.open === row.id;
                  const shown = (
                    <tr
                      key={row.id}
                      aria-rowindex={start + index + 2}
                      className={`${isOpen ? '' : 'border-b border-line'} ${isChosen ? 'bg-harbour/12' : isOpen ? 'bg-well' : 'hover:bg-well'} ${stacked.row}`}
                    >
                      {choice === undefined ? null : (
                        <td className="py-2 ps-2 align-top rows:pt-1.5 rows:pb-1.25 max-rows:order-first max-rows:p-0">
                          <Check label={nameOf(row)} isChecked={isChosen} isReached={false} />
                        </td>
                      )}
                      {columns.map(
                        ({ key, title, className = '', isAtEnd = false, isNamed = false, cell }) => (
                          <td
                            key={key}
                            className={`px-3 py-2 align-baseline wrap-anywhere rows:pt-1.5 rows:pb-1.25 ${isAtEnd ? 'text-end' : ''} ${stacked.cell} ${className}`}
                          >
                            {isNamed ? <span className="rows:hidden">{title}: </span> : null}
                            {cell(row, start + index === reached ? 0 : -1)}
                          </td>
                        ),
                      )}
                    </tr>
                  );
                  if (!isOpen) return shown;
                  return (
                    <Fragment key={row.id}>
                      {shown}
                      <tr className={`border-b border-line bg-well ${stacked.row}`}>
                        <td
                          colSpan={columns.length + (choice === undefined ? 0 : 1)}
                          className="px-3 pb-3 max-rows:basis-full max-rows:p-0"
                        >
                          {detail?.show(row)}
                        </td>
                      </tr>
                    </Fragment>
                  );
                })
              }
            />
          </Fragment>
        );
      })}
      <Space blocks={blocks.slice((places.at(-1) ?? -1) + 1)} />
    </table>
  );
}

const SIDE_BY_SIDE = { table: '', row: '', cell: '' };

const SIDE_BY_SIDE_HEAD = { section: '', row: '', choice: '', words: '' };

/** On a phone only the box that selects all rows is shown. */
const HEAD_WITH_CHOICE = {
  section: 'max-rows:block',
  row: 'max-rows:flex max-rows:px-3 max-rows:py-2',
  choice: 'max-rows:w-auto max-rows:p-0',
  words: 'max-rows:sr-only',
};

const HIDDEN_HEAD = { ...SIDE_BY_SIDE_HEAD, section: 'max-rows:sr-only' };

/** In stacked rows the cell that names the row: it comes first, in a line that only a box to select it shares. */
export const TITLE_CELL = 'max-rows:order-first max-rows:grow max-rows:basis-4/5';

/** On a phone the cells share lines. */
const STACKED = {
  table: 'max-rows:block',
  row: 'max-rows:flex max-rows:flex-wrap max-rows:items-baseline max-rows:gap-x-3 max-rows:px-3 max-rows:py-2',
  cell: 'max-rows:w-auto max-rows:p-0 max-rows:text-start max-rows:empty:hidden',
};

/** The place of the row that an element is in. */
function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest('tbody tr[aria-rowindex]') : null;
  return row === null ? undefined : Number(row.getAttribute('aria-rowindex')) - 2;
}

function linkOf(table: HTMLTableElement | null, index: number): HTMLElement | null | undefined {
  return table?.querySelector<HTMLElement>(`tbody tr[aria-rowindex="${index + 2}"] :is(a, button)`);
}
