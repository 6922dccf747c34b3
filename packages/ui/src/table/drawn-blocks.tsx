import {
  memo,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** The number of rows that enter and leave the document at once: few enough for one frame, whose longest part is their layout. */
export const BLOCK_ROWS = 10;

/** The rows in blocks. */
export function blocksOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, index) =>
    rows.slice(index * BLOCK_ROWS, (index + 1) * BLOCK_ROWS),
  );
}

/** Whether two blocks have the same rows. */
function isSameBlock(one: readonly object[], other: readonly object[]): boolean {
  return one === other || (one.length === other.length && one.every((row, index) => row === other[index]));
}

/** The assumed height of a row until it has been drawn. */
const ROW_HEIGHT = 36;

/** The last seen heights of blocks, by their first row: Back finds the same place. */
const heights = new WeakMap<object, number>();

function heightOf(rows: readonly object[]): number {
  const [first] = rows;
  return (first && heights.get(first)) ?? rows.length * ROW_HEIGHT;
}

/** Some rows of a table. They are drawn again when something about them changes. */
export const Block = memo(
  function Block({
    rows: [first],
    draw,
  }: {
    readonly rows: readonly object[];
    /** All else that its rows depend on. */
    readonly drawnFor: readonly unknown[];
    readonly draw: () => ReactNode;
  }): ReactElement {
    const body = useRef<HTMLTableSectionElement>(null);
    // Immediately, because the observer reports a height of zero for rows that left the document.
    useLayoutEffect(() => {
      if (first === undefined || body.current === null) return;
      // The observer reports heights after the layout; asking for one would force a layout.
      const observer = new ResizeObserver((entries) => {
        for (const { contentRect } of entries) heights.set(first, contentRect.height);
      });
      observer.observe(body.current);
      return () => observer.disconnect();
    }, [first]);
    return <tbody ref={body}>{draw()}</tbody>;
  },
  (before, now) => isSameBlock(before.rows, now.rows) && isSameList(before.drawnFor, now.drawnFor),
);

/** The place of rows that are not in the document. */
export function Space({ blocks }: { readonly blocks: readonly (readonly object[])[] }): ReactElement | null {
  if (blocks.length === 0) return null;
  return (
    // The browser must not anchor scrolling to it, because it shrinks when rows arrive.
    <tbody aria-hidden="true" className="[overflow-anchor:none]">
      <tr style={{ height: blocks.reduce((sum, block) => sum + heightOf(block), 0) }}>
        <td />
      </tr>
    </tbody>
  );
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, index) => Object.is(value, other[index]));
}

/** How far from the visible part rows are kept in the document. */
const MARGIN = 800;

/** Blocks by their places. */
type Places = ReadonlySet<number>;

const FIRST: Places = new Set([0]);

const AT_FIRST: { readonly near: Places; readonly drawn: Places } = { near: FIRST, drawn: FIRST };

/**
 * Which blocks of a table are drawn: those near the visible part. One more is drawn in each frame, so that no frame is long,
 * however fast somebody scrolls.
 */
export function useDrawn(
  table: RefObject<HTMLTableElement | null>,
  blocks: readonly (readonly object[])[],
): { readonly drawn: Places; readonly isAtEnd: boolean } {
  const [{ near, drawn }, setSeen] = useState(AT_FIRST);

  useEffect(() => {
    let frame: number | undefined;
    const ask = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        const next = nearIn(table.current, blocks);
        setSeen((before) =>
          isSame(before.near, next) && isSame(before.drawn, next) ? before : goOn(before.drawn, next),
        );
      });
    };
    ask();
    addEventListener('scroll', ask, { passive: true });
    addEventListener('resize', ask);
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      removeEventListener('scroll', ask);
      removeEventListener('resize', ask);
    };
    // Until all near ones are drawn, each frame requests the next.
  }, [table, blocks, drawn]);

  return { drawn, isAtEnd: near.has(blocks.length - 1) };
}

function nearIn(table: HTMLTableElement | null, blocks: readonly (readonly object[])[]): Places {
  const near = new Set<number>();
  let top = table?.getBoundingClientRect().top ?? 0;
  for (const [index, block] of blocks.entries()) {
    const bottom = top + heightOf(block);
    if (bottom > -MARGIN && top < innerHeight + MARGIN) near.add(index);
    top = bottom;
  }
  return near;
}

/** Those drawn that are still near, and the one nearest to the middle of the visible part. */
function goOn(drawn: Places, near: Places): typeof AT_FIRST {
  const places = [...near];
  const middle = places.reduce((sum, place) => sum + place, 0) / places.length;
  const [next] = places
    .filter((place) => !drawn.has(place))
    .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return {
    near,
    drawn: new Set([...drawn, ...(next === undefined ? [] : [next])].filter((place) => near.has(place))),
  };
}

function isSame(one: Places, other: Places): boolean {
  return one.size === other.size && [...one].every((place) => other.has(place));
}
