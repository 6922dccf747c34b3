import type { ReactElement, ReactNode } from 'react';

/** Facts about one thing, a line each. */
export function Facts({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <dl className="grid grid-cols-[7.75rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-2 p-3 wrap-anywhere">
      {children}
    </dl>
  );
}

export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
