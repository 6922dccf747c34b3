import type { ReactElement, ReactNode } from 'react';
import { Gate, type GateState } from './gate.js';

const WASHES: Readonly<Record<GateState, string>> = {
  open: 'bg-moss-wash border-moss',
  ajar: 'bg-lantern-wash border-lantern',
  shut: 'bg-brick-wash border-brick',
};

/** What somebody should know before they go on. A shut one interrupts screen readers, the others wait. */
export function Banner({
  state,
  children,
}: {
  readonly state: GateState;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div
      role={state === 'shut' ? 'alert' : 'status'}
      className={`flex gap-3 border-s-4 px-3 py-2.5 text-ink ${WASHES[state]}`}
    >
      <span className="pt-0.5">
        <Gate state={state} />
      </span>
      <div className="min-w-0 flex-1 text-pretty wrap-anywhere">{children}</div>
    </div>
  );
}
