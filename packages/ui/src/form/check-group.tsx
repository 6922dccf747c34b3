import { type ReactElement, type ReactNode, useId } from 'react';
import type { FormFields } from './form.js';
import { useFieldIssue } from './form.js';

export interface CheckChoice {
  readonly value: string;
  readonly label: ReactNode;
  readonly about?: string | undefined;
  readonly isChecked?: boolean;
}

/** Checkboxes under one label, any number of them checked. `checkedIn` reads which. */
export function CheckGroup({
  name,
  label,
  hint,
  choices,
}: {
  /** Also the path by which an issue finds the group. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly CheckChoice[];
}): ReactElement {
  return (
    <CheckSet name={name} label={label} {...(hint === undefined ? {} : { hint })}>
      {(issue) =>
        choices.map(({ value, isChecked = false, ...shown }, at) => (
          <CheckLine
            key={value}
            {...shown}
            box={{
              name: `${name}.${value}`,
              defaultChecked: isChecked,
              ...(at === 0 && issue ? { 'aria-invalid': true } : {}),
            }}
          />
        ))
      }
    </CheckSet>
  );
}

/** The frame of a group of boxes: its label, its error, and a hint. */
export function CheckSet({
  name,
  label,
  hint,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Says whether a refusal has an issue with the group: the first box then takes the focus as the invalid one. */
  readonly children: (hasIssue: boolean) => ReactNode;
}): ReactElement {
  const id = useId();
  const issue = useFieldIssue(name);
  const notes = [
    ...(issue === undefined ? [] : [`${id}-issue`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
    >
      <legend className="pb-1.5 font-semibold">{label}</legend>
      {issue === undefined ? null : (
        <p id={`${id}-issue`} className="text-body text-brick">
          {issue}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-note text-quiet">
          {hint}
        </p>
      )}
      <div className="flex flex-col">{children(issue !== undefined)}</div>
    </fieldset>
  );
}

/** One box with its words, all of which can be clicked. */
export function CheckLine({
  label,
  about,
  box,
}: {
  readonly label: ReactNode;
  readonly about?: string | undefined;
  readonly box: {
    readonly name?: string;
    readonly defaultChecked?: boolean;
    readonly checked?: boolean;
    readonly onChange?: () => void;
    readonly ref?: (element: HTMLInputElement | null) => void;
    readonly 'aria-invalid'?: boolean;
  };
}): ReactElement {
  return (
    <label className="flex min-h-10 cursor-pointer items-start gap-2.5 py-2 hover:bg-well rows:min-h-8 rows:py-1.5">
      <input type="checkbox" {...box} className="mt-0.5 size-4 shrink-0 accent-harbour" />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {about === undefined ? null : <span className="block text-note text-quiet">{about}</span>}
      </span>
    </label>
  );
}

/** The values of a group whose boxes are checked. */
export function checkedIn(fields: FormFields, name: string): string[] {
  const start = `${name}.`;
  return Object.keys(fields).flatMap((each) => (each.startsWith(start) ? [each.slice(start.length)] : []));
}
