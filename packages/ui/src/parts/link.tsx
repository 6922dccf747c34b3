import type { ReactElement, ReactNode } from 'react';

/** A link within text. */
export function Link({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <a
      href={href}
      className="text-harbour underline decoration-1 underline-offset-3 hover:decoration-2 wrap-anywhere"
    >
      {children}
    </a>
  );
}
