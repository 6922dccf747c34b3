import { type ReactElement, useId, useState } from 'react';
import { useFieldIssue } from './form.js';

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** What it means, shown while it is chosen. */
  readonly about?: string | undefined;
}

/** A labeled list from which one entry is chosen. */
export function SelectField({
  name,
  label,
  hint,
  choices,
  defaultValue,
  value: given,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly Choice[];
  readonly defaultValue?: string;
  /** The chosen value, if the caller controls it. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}): ReactElement {
  const id = useId();
  const issue = useFieldIssue(name);
  const [own, setOwn] = useState(defaultValue ?? choices[0]?.value);
  const chosen = given ?? own;
  const note = hint ?? choices.find(({ value }) => value === chosen)?.about;
  const notes = [
    ...(issue === undefined ? [] : [`${id}-issue`]),
    ...(note === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div className="flex max-w-[30rem] flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        name={name}
        {...(given === undefined ? { defaultValue } : { value: given })}
        onChange={({ currentTarget }) => {
          setOwn(currentTarget.value);
          onChange?.(currentTarget.value);
        }}
        aria-invalid={issue === undefined ? undefined : true}
        aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
        className="min-h-10 w-full rounded-small border border-edge bg-card px-3 py-2 text-lead text-ink aria-invalid:border-brick"
      >
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {issue === undefined ? null : (
        <p id={`${id}-issue`} className="text-body text-brick">
          {issue}
        </p>
      )}
      {note === undefined ? null : (
        <p id={`${id}-hint`} className="text-note text-quiet">
          {note}
        </p>
      )}
    </div>
  );
}
