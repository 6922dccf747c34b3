import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { StatusIcon, type StatusTone } from './icons.js';

const WASHES: Readonly<Record<StatusTone, string>> = {
  ok: '',
  pending: 'bg-lantern-wash',
  error: 'bg-brick-wash',
};

/** A state in one or two words, which stands out where it is not the normal one. */
export function Badge({
  children,
  ...icon
}: Omit<ComponentProps<typeof StatusIcon>, 'size'> & {
  readonly children: ReactNode;
}): ReactElement {
  if (icon.tone === 'ok') return <span className="text-quiet">{children}</span>;
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-note font-semibold ${WASHES[icon.tone]}`}
    >
      <StatusIcon {...icon} size={12} />
      {children}
    </span>
  );
}
