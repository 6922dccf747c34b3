import { type RefObject, useEffect, useState } from 'react';
import { heightOf } from './block.js';

/** How far from what is seen rows are kept in the document. */
const MARGIN = 800;

/** Blocks by their places. */
type Places = ReadonlySet<number>;

const FIRST: Places = new Set([0]);
const AT_FIRST: { readonly near: Places; readonly drawn: Places } = { near: FIRST, drawn: FIRST };

/**
 * Which blocks of a table are drawn: those near what is seen. One more is drawn in each frame, so that no frame is long, however
 * fast somebody scrolls.
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
    // Until all that are near are drawn, each frame asks for the next.
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

/** Those drawn that are still near, and the one nearest to the middle of what is seen. */
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
