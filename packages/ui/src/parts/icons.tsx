import type { ReactElement } from 'react';

/** How a state is: as it should be, in need of attention, or wrong. */
export type StatusTone = 'ok' | 'pending' | 'error';

const COLOURS: Readonly<Record<StatusTone, string>> = {
  ok: 'text-moss',
  pending: 'text-lantern',
  error: 'text-brick',
};

const DISC = 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1';

/** Discs and a triangle with a sign cut out. */
const SHAPES = {
  ok: `${DISC}M6.8 11.4 3.6 8.2 4.7 7l2.1 2.1L11.3 4.6l1.1 1.2z`,
  pending: 'M8 1 .5 14.5h15zM7.2 6h1.6v4.2H7.2zm0 5.2h1.6v1.6H7.2z',
  error: `${DISC}M7.2 4h1.6v5H7.2zm0 6h1.6v1.6H7.2z`,
  clock: `${DISC}M7.2 4h1.6v3.6l2.7 1.5-.8 1.4-3.5-2z`,
  ban: `${DISC}M4 7.2h8v1.6H4z`,
};

/** A sign that shows a state by shape and color. The words beside it say the same. */
export function StatusIcon({
  tone,
  shape = tone,
  size = 16,
}: {
  readonly tone: StatusTone;
  /** A clock for what waits, a ban for who is shut out. */
  readonly shape?: keyof typeof SHAPES;
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
      <path fillRule="evenodd" d={SHAPES[shape]} />
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
