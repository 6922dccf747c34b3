import type { ReactElement, ReactNode } from 'react';
import { Gate, type GateState } from '../parts/gate.js';

/** One number that somebody watches, with what it means. Several stand in a `dl`. */
export function Figure({
  name,
  state,
  value,
  children,
}: {
  readonly name: string;
  readonly state: GateState;
  readonly value: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex flex-col gap-1 bg-sheet p-3 outline outline-line">
      <dt className="flex items-center gap-2 text-quiet">
        <Gate state={state} />
        {name}
      </dt>
      <dd className="text-verdict font-bold">{value}</dd>
      <dd className="text-note text-quiet">{children}</dd>
    </div>
  );
}
