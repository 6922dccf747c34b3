import type { ReactElement } from 'react';

/** What a doorway tells: open is empty, ajar has half a leaf, shut is filled. */
export type GateState = 'open' | 'ajar' | 'shut';

const COLOURS: Readonly<Record<GateState, string>> = {
  open: 'text-moss',
  ajar: 'text-lantern',
  shut: 'text-brick',
};

/** A doorway that shows a state by shape and colour. The words beside it say the same. */
export function Gate({
  state,
  size = 16,
}: {
  readonly state: GateState;
  readonly size?: number;
}): ReactElement {
  return (
    <svg
      className={`shrink-0 ${COLOURS[state]}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M1 1h14v14h-2.4V3.4H3.4V15H1z" />
      {state === 'ajar' ? <path d="M5 5l4 1.6V16l-4-1.6z" /> : null}
      {state === 'shut' ? <path d="M5 5h6v10H5z" /> : null}
    </svg>
  );
}
