import type { ReactElement } from 'react';

/** The product's own mark: a doorway with a lamp in it. */
export function Mark({ size = 24 }: { readonly size?: number }): ReactElement {
  return (
    <svg className="shrink-0" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path className="fill-ink" d="M2 1h20v22h-3V4H5v19H2z" />
      <path className="fill-lantern" d="M10.5 11.5h3v5h-3z" />
    </svg>
  );
}
