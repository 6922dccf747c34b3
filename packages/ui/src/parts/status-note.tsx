import { type ReactElement, type ReactNode, useId } from 'react';
import { StatusIcon, type StatusTone } from './icons.js';

const WASHES: Readonly<Record<StatusTone, string>> = {
  ok: 'bg-moss-wash border-moss',
  pending: 'bg-lantern-wash border-lantern',
  error: 'bg-brick-wash border-brick',
};

/** The state of the subject of a screen: a heading, what it means, and the actions that change it. */
export function StatusNote({
  tone,
  title,
  children,
  actions,
}: {
  readonly tone: StatusTone;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-wrap items-center gap-3 border-s-4 px-3 py-3 ${WASHES[tone]}`}
    >
      <span className="self-start pt-1">
        <StatusIcon tone={tone} />
      </span>
      <div className="min-w-0 flex-1 basis-60 text-pretty wrap-anywhere">
        <h2 id={id} className="text-lead font-bold">
          {title}
        </h2>
        {children}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
    </section>
  );
}
