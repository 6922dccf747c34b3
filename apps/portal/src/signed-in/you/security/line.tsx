import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/status-icon';
import type { ReactElement, ReactNode } from 'react';

/** How one thing is, and what can be done about it. */
export function Line({
  tone,
  title,
  children,
  actions,
}: {
  readonly tone: StatusTone;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}): ReactElement {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 p-3">
      <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
        <span className="pt-0.5">
          <StatusIcon tone={tone} />
        </span>
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-semibold wrap-anywhere">{title}</p>
          {children}
        </div>
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
    </div>
  );
}
