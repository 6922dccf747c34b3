import type { ReactElement } from 'react';

/** Says that something opens below, or closes again. The control that has it says so to those who hear it. */
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
