import { memo, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import { isSameBlock } from './blocks.js';

/** What a row takes until it was seen. */
const ROW_HEIGHT = 41;

/** How high blocks were when they were seen last, by their first row: Back finds the same place. */
const heights = new WeakMap<object, number>();

export function heightOf(rows: readonly object[]): number {
  const [first] = rows;
  return (first && heights.get(first)) ?? rows.length * ROW_HEIGHT;
}

/** Some rows of a table. They are drawn anew where something of them changed. */
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
    // At once, because rows that left the document are told of as having no height.
    useLayoutEffect(() => {
      if (first === undefined || body.current === null) return;
      // It tells heights after they were found, where asking for one has them found at once.
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
    // Nothing is held in its place by it: it shrinks when rows come.
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
