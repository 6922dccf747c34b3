import { type ReactElement, type ReactNode, useEffect } from 'react';
import type { GateState } from '../parts/gate.js';
import { Verdict } from '../parts/verdict.js';
import { isAfterMove } from './moves.js';
import { useProduct } from './product.js';

const BARS: Readonly<Record<GateState, string>> = {
  open: 'border-moss',
  ajar: 'border-lantern',
  shut: 'border-brick',
};

/** A screen within the frame: its verdict, the actions that change it, and then what it is made of. */
export function Screen({
  title,
  state,
  lead,
  actions,
  children,
}: {
  /** One sentence, which says how things are. */
  readonly title: string;
  readonly state?: GateState;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}): ReactElement {
  const { name } = useProduct();
  useEffect(() => {
    document.title = name === '' ? title : `${title} – ${name}`;
  }, [title, name]);
  useEffect(() => {
    if (isAfterMove()) document.querySelector('h1')?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="flex max-w-5xl flex-col gap-8">
      <div className={`flex flex-col gap-4 ${state === undefined ? '' : `border-s-6 ps-4 ${BARS[state]}`}`}>
        <Verdict title={title} {...(state === undefined ? {} : { state })}>
          {lead}
        </Verdict>
        {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
