import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { Gate, type GateState } from './gate.js';

/**
 * The sentence a screen opens with, and what it means. It is the only first heading of a document, and takes the focus when
 * it says something new.
 */
export function Verdict({
  state,
  title,
  children,
  takesFocus = false,
}: {
  readonly state?: GateState;
  readonly title: string;
  readonly children?: ReactNode;
  /** Whether the reader should be told at once, because what they did led here. */
  readonly takesFocus?: boolean;
}): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus, title]);
  return (
    <header className="flex flex-col gap-1">
      <div className="flex items-start gap-3">
        {state === undefined ? null : (
          <span className="pt-1.25">
            <Gate state={state} size={24} />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} className="text-verdict font-bold text-balance wrap-anywhere">
          {title}
        </h1>
      </div>
      {children === undefined ? null : (
        <div className="text-lead text-quiet text-pretty wrap-anywhere">{children}</div>
      )}
    </header>
  );
}
