import type { ReactElement } from 'react';

/** A doorway: open for ok, ajar for pending, shut for error. */
export type StatusTone = 'ok' | 'pending' | 'error';

const COLOURS: Readonly<Record<StatusTone, string>> = {
  ok: 'text-moss',
  pending: 'text-lantern',
  error: 'text-brick',
};

/** A doorway that shows a state by shape and color. The words beside it say the same. */
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

/** The mark of a row; empty in the normal state. */
export function RowMark({ tone }: { readonly tone: StatusTone }): ReactElement {
  return tone === 'ok' ? <span className="inline-block size-4 shrink-0" /> : <StatusIcon tone={tone} />;
}

/** The product's own mark: a doorway with a lamp in it. */
export function Mark({ size = 24 }: { readonly size?: number }): ReactElement {
  return (
    <svg className="shrink-0" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path className="fill-ink" d="M2 1h20v22h-3V4H5v19H2z" />
      <path className="fill-lantern" d="M10.5 11.5h3v5h-3z" />
    </svg>
  );
}

/** Says that something opens below, or closes again. The control that has it announces it to screen readers. */
export function Chevron({ isOpen = false }: { readonly isOpen?: boolean }): ReactElement {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      aria-hidden="true"
      className={`shrink-0 text-quiet ${isOpen ? 'rotate-180' : ''}`}
    >
      <path d="m3.5 6 4.5 4.5L12.5 6" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
