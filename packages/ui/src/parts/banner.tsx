import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { StatusIcon, type StatusTone } from './icons.js';

const WASHES: Readonly<Record<StatusTone, string>> = {
  ok: 'bg-moss-wash border-moss',
  pending: 'bg-lantern-wash border-lantern',
  error: 'bg-brick-wash border-brick',
};

/** What a person should know before they continue. A shut one interrupts screen readers, the others wait. */
export function Banner({
  tone,
  shape = tone,
  children,
}: {
  readonly tone: StatusTone;
  /** The sign before it, if it is another one than the tone has. */
  readonly shape?: ComponentProps<typeof StatusIcon>['shape'];
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={`flex gap-3 border-s-4 px-3 py-2.5 text-ink ${WASHES[tone]}`}
    >
      <span className="pt-0.5">
        <StatusIcon tone={tone} shape={shape} />
      </span>
      <div className="min-w-0 flex-1 text-pretty wrap-anywhere">{children}</div>
    </div>
  );
}
