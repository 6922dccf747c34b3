import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { StatusIcon, type StatusTone } from './icons.js';

/**
 * The sentence a screen opens with, and what it means. It is the only first heading of a document, and takes the focus when
 * it says something new.
 */
export function PageHeader({
  tone,
  title,
  children,
  takesFocus = false,
}: {
  readonly tone?: StatusTone;
  readonly title: string;
  readonly children?: ReactNode;
  /** Whether screen readers announce it at once, because an action led here. */
  readonly takesFocus?: boolean;
}): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus, title]);
  return (
    <header className="flex flex-col gap-1">
      <div className="flex items-start gap-3">
        {tone === undefined ? null : (
          <span className="pt-1.25">
            <StatusIcon tone={tone} size={24} />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} className="text-heading font-bold text-balance wrap-anywhere">
          {title}
        </h1>
      </div>
      {children === undefined ? null : (
        <div className={`text-lead text-quiet text-pretty wrap-anywhere ${tone === undefined ? '' : 'ps-9'}`}>
          {children}
        </div>
      )}
    </header>
  );
}
