import { type ReactElement, useId } from 'react';
import type { Choice } from '../form/select-field.js';

/** One of the filters above a list. It takes effect when it is chosen. */
export function FilterSelect({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}): ReactElement {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-note text-quiet">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className="min-h-10 w-full rounded-small border border-edge bg-card px-3 py-2 text-ink wide:min-h-8"
      >
        {choices.map(({ value: each, label: words }) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
