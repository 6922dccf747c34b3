import { type ReactElement, type ReactNode, useId } from 'react';

/** Cards side by side, for short facts; below each other where the screen is narrow. */
export function Columns({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="grid gap-8 *:min-w-0 wide:grid-cols-2">{children}</div>;
}

/** A section with a heading: a list, a form, or facts. */
export function Card({
  title,
  aside,
  children,
}: {
  readonly title: ReactNode;
  /** Content at the end of the heading's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t-2 border-ink bg-card">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-2.5">
        <h2 id={id} className="min-w-0 text-body font-bold wrap-anywhere">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
