import type { ReactElement } from 'react';

/** A doorway: open for ok, ajar for pending, shut for error. */
export type StatusTone = 'ok' | 'pending' | 'error';

const COLOURS: Readonly<Record<StatusTone, string>> = {
  ok: 'text-moss',
  pending: 'text-lantern',
  error: 'text-brick',
};

/** A doorway that shows a state by shape and colour. The words beside it say the same. */
export function StatusIcon({
  tone,
  size = 16,
}: {
  readonly tone: StatusTone;
  readonly size?: number;
}): ReactElement {
  return (
    <svg
      className={`shrink-0 ${COLOURS[tone]}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M1 1h14v14h-2.4V3.4H3.4V15H1z" />
      {tone === 'pending' ? <path d="M5 5l4 1.6V16l-4-1.6z" /> : null}
      {tone === 'error' ? <path d="M5 5h6v10H5z" /> : null}
    </svg>
  );
}
