import type { MouseEventHandler, ReactElement, ReactNode } from 'react';

/** A link within text. */
export function Link({
  href,
  onClick,
  children,
}: {
  readonly href: string;
  /** What happens before the link is followed. */
  readonly onClick?: MouseEventHandler<HTMLAnchorElement>;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <a
      href={href}
      {...(onClick === undefined ? {} : { onClick })}
      className="text-harbour underline decoration-1 underline-offset-3 hover:decoration-2 wrap-anywhere"
    >
      {children}
    </a>
  );
}
