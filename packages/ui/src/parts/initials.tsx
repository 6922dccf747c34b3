import type { ReactElement } from 'react';

/** The first letters of the first and the last word of a name; one letter for a single word, none if there is no letter. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.slice(0, 1) ?? []);
  const [first = '', last = ''] = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return `${first}${last}`.toUpperCase();
}

/** A person as their initials in a circle, beside their name. */
export function Initials({ of: name }: { readonly of: string }): ReactElement {
  return (
    <span
      aria-hidden="true"
      dir="auto"
      className="grid size-8 place-items-center rounded-full bg-well text-note font-semibold"
    >
      {initialsOf(name)}
    </span>
  );
}
