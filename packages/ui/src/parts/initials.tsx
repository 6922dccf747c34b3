import type { ReactElement, ReactNode } from 'react';

/** The first letters of the first and the last word of a name; one letter for a single word, none if there is no letter. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.slice(0, 1) ?? []);
  const [first = '', last = ''] = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return `${first}${last}`.toUpperCase();
}

/** A person as their initials in a circle, beside their name. A small one fits the row of a table. */
export function Initials({
  of: name,
  isSmall = false,
}: {
  readonly of: string;
  readonly isSmall?: boolean;
}): ReactElement {
  return (
    <span
      aria-hidden="true"
      dir="auto"
      className={`grid place-items-center rounded-full text-note font-semibold text-ink ${isSmall ? '-my-0.5 size-6 shrink-0 bg-line' : 'size-8 bg-well'}`}
    >
      {initialsOf(name)}
    </span>
  );
}

/** The name of a person in a table, behind their initials. */
export function PersonCell({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex items-baseline gap-2">
      <Initials of={name} isSmall />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
