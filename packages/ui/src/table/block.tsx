import { memo, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import { isSameBlock } from './blocks.js';

/** What a row takes until it was seen. */
const ROW_HEIGHT = 41;

/** How high blocks were when they were seen last, by their first row: Back finds the same place. */
const heights = new WeakMap<object, number>();

/** Some rows of a table or, far from what is seen, the place they take. They are drawn anew where something of them changed. */
export const Block = memo(
  function Block({
    index,
    rows,
    isNear,
    draw,
  }: {
    readonly index: number;
    readonly rows: readonly object[];
    /** Whether its rows are in the document. */
    readonly isNear: boolean;
    /** All else that its rows depend on. */
    readonly drawnFor: readonly unknown[];
    readonly draw: () => ReactNode;
  }): ReactElement {
    const body = useRef<HTMLTableSectionElement>(null);
    const [first] = rows;
    useLayoutEffect(() => {
      if (isNear && first !== undefined && body.current !== null)
        heights.set(first, body.current.offsetHeight);
    });
    const height = (first && heights.get(first)) ?? rows.length * ROW_HEIGHT;
    return (
      <tbody ref={body} data-block={index} {...(isNear ? {} : { 'aria-hidden': true })}>
        {isNear ? (
          draw()
        ) : (
          <tr style={{ height }}>
            <td />
          </tr>
        )}
      </tbody>
    );
  },
  (before, now) =>
    before.isNear === now.isNear &&
    isSameBlock(before.rows, now.rows) &&
    (!now.isNear || isSameList(before.drawnFor, now.drawnFor)),
);

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value, index) => Object.is(value, other[index]));
}
