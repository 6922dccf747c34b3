import type { ReactElement } from 'react';
import type { StatusTone } from './icons.js';

/** Each doorway is smaller than the previous one by this factor. */
const STEP = 0.7;
const DEPTH = 6;
const WIDTH = 620;
const HEIGHT = 760;
/** The point where all lines of the passage meet. */
const EYE = { x: 400, y: 560 };
/** How far below the eye the floor is, at the first doorway. */
const FLOOR = 250;

interface Doorway {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly post: number;
}

const DOORWAYS: readonly Doorway[] = Array.from({ length: DEPTH }, (_, depth) => {
  const scale = STEP ** depth;
  const bottom = EYE.y + FLOOR * scale;
  return {
    left: EYE.x - (WIDTH / 2) * scale,
    right: EYE.x + (WIDTH / 2) * scale,
    top: bottom - HEIGHT * scale,
    bottom,
    post: 24 * scale,
  };
});

/** The wall around one doorway: everything, less the opening. */
const wall = ({ left, right, top, bottom, post }: Doorway): string =>
  `M${left} ${bottom}V${top}H${right}V${bottom}H${right - post}V${top + post}H${left + post}V${bottom}z`;

/** Where the light on the floor leaves the picture, along the posts of all doorways. */
const EDGE = 840;
const SPILL = (WIDTH / 2 - 24) * ((EDGE - EYE.y) / FLOOR);

const LAST = DOORWAYS.at(-1);
const FIRST = DOORWAYS[0];

/** The last doorway, with the leaf that its state gives it. */
function Leaf({ tone }: { readonly tone: StatusTone }): ReactElement | null {
  if (LAST === undefined) return null;
  const { left, right, top, bottom, post } = LAST;
  const inner = { left: left + post, right: right - post, top: top + post };
  if (tone === 'error') {
    return (
      <path
        className="fill-brick"
        d={`M${inner.left} ${inner.top}H${inner.right}V${bottom}H${inner.left}z`}
      />
    );
  }
  if (tone === 'ok') return null;
  const middle = inner.left + (inner.right - inner.left) * 0.42;
  return (
    <path
      className="fill-lantern"
      d={`M${inner.left} ${inner.top}L${middle} ${inner.top + 14}V${bottom + 12}L${inner.left} ${bottom}z`}
    />
  );
}

/**
 * Doorways in doorways, with a light behind the last: where a screen leads. The picture says nothing that the words do not say
 * too.
 */
export function Illustration({ tone }: { readonly tone: StatusTone }): ReactElement {
  const isLit = tone !== 'error';
  return (
    <svg
      className="h-full w-full"
      viewBox="0 0 800 820"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {FIRST !== undefined && LAST !== undefined && isLit ? (
        <>
          <path
            className="fill-lantern-wash"
            d={`M${LAST.left + LAST.post} ${LAST.bottom}H${LAST.right - LAST.post}L${EYE.x + SPILL} ${EDGE}H${EYE.x - SPILL}z`}
          />
          <path
            style={{ fill: 'color-mix(in oklch, var(--color-lantern) 35%, var(--color-lantern-wash))' }}
            d={`M${LAST.left} ${LAST.bottom}V${LAST.top}H${LAST.right}V${LAST.bottom}z`}
          />
        </>
      ) : null}
      {DOORWAYS.map((doorway, depth) => (
        <path
          key={doorway.left}
          d={wall(doorway)}
          style={{
            fill: `color-mix(in oklch, var(--color-ink) ${26 + depth * 9}%, var(--color-well))`,
          }}
        />
      ))}
      <Leaf tone={tone} />
    </svg>
  );
}
