import type { ReactElement, ReactNode } from 'react';
import { StatusIcon, type StatusTone } from '../parts/icons.js';

/** One number with its meaning, for a `dl`. */
export function Figure({
  name,
  tone,
  value,
  children,
}: {
  readonly name: string;
  readonly tone: StatusTone;
  readonly value: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex flex-1 basis-36 flex-col gap-1 bg-card p-3 outline outline-line rows:basis-72">
      <dt className="flex items-center gap-2 text-quiet">
        {name}
        {tone === 'ok' ? null : <StatusIcon tone={tone} />}
      </dt>
      <dd className="text-heading font-bold">{value}</dd>
      <dd className="text-note text-quiet">{children}</dd>
    </div>
  );
}
