import { type ReactElement, useEffect, useId, useRef, useState } from 'react';

/** The pause in typing after which the search begins. */
const QUIET_MS = 200;

/** A search field that searches after a pause, or at Enter. */
export function SearchField({
  label,
  text: given,
  onLook,
}: {
  readonly label: string;
  /** The current search. */
  readonly text: string;
  readonly onLook: (text: string) => void;
}): ReactElement {
  const id = useId();
  const [text, setText] = useState(given);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const looked = useRef(given);

  // Back, and "clear filters", change the search without this field.
  useEffect(() => {
    if (given === looked.current) return;
    looked.current = given;
    setText(given);
  }, [given]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function look(next: string): void {
    clearTimeout(timer.current);
    looked.current = next;
    onLook(next);
  }

  return (
    <div className="flex max-w-[30rem] flex-col gap-1">
      <label htmlFor={id} className="text-note text-quiet">
        {label}
      </label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => look(value), QUIET_MS);
        }}
        // A link may be followed during the pause: a search afterwards would navigate back.
        onBlur={() => {
          if (text !== looked.current) look(text);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') look(text);
        }}
        className="min-h-10 w-full rounded-small border border-edge bg-card px-3 py-2 text-ink wide:min-h-8"
      />
    </div>
  );
}
