import { type ReactElement, type Ref, useEffect, useRef } from 'react';

/** The selected rows, by their ids. */
export interface Choice {
  readonly chosen: ReadonlySet<number>;
  onChange(next: ReadonlySet<number>): void;
}

interface Identified {
  readonly id: number;
}

/** The ids of the rows from one place to another, in either direction. */
export function between(rows: readonly Identified[], one: number, other: number): number[] {
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);
}

/** Selects all rows, or none. */
export function CheckAll({
  rows,
  choice: { chosen, onChange },
  label,
}: {
  readonly rows: readonly Identified[];
  readonly choice: Choice;
  readonly label: string;
}): ReactElement {
  const box = useRef<HTMLInputElement>(null);
  const isAll = rows.length > 0 && chosen.size >= rows.length && rows.every(({ id }) => chosen.has(id));
  const isSome = chosen.size > 0 && !isAll;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <Check
      ref={box}
      label={label}
      isNamed
      isChecked={isAll}
      onChange={() => onChange(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
    />
  );
}

/** A box with room for a finger around it. */
export function Check({
  label,
  isNamed = false,
  isChecked,
  onChange = nothing,
  ref,
  isReached = true,
}: {
  readonly label: string;
  /** Whether the label is shown on a phone. */
  readonly isNamed?: boolean;
  readonly isChecked: boolean;
  /** Absent if clicks are handled by a parent element. */
  readonly onChange?: () => void;
  readonly ref?: Ref<HTMLInputElement>;
  /** Whether Tab stops there; in other rows a key does the same. */
  readonly isReached?: boolean;
}): ReactElement {
  return (
    <label
      className={`flex size-6 cursor-pointer items-center justify-center ${isNamed ? 'max-rows:w-auto max-rows:gap-2' : ''}`}
    >
      <input
        ref={ref}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={onChange}
        {...(isReached ? {} : { tabIndex: -1 })}
        className="size-4 cursor-pointer accent-harbour"
      />
      {isNamed ? <span className="text-note font-normal text-quiet rows:hidden">{label}</span> : null}
    </label>
  );
}

/** React requires a handler for a box that can change. */
const nothing = (): void => undefined;
