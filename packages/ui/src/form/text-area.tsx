import { type ReactElement, useId } from 'react';
import { FIELD_LOOK } from './field-look.js';
import { useFieldIssue } from './form.js';

/** A labeled field for several lines that keeps its own text. It shows the issue that a refusal has with it. */
export function TextArea({
  name,
  label,
  hint,
  rows,
  defaultValue,
}: {
  /** Also the path by which an issue finds the field. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly defaultValue: string;
}): ReactElement {
  const id = useId();
  const issue = useFieldIssue(name);
  return (
    <div className="flex max-w-[30rem] flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        defaultValue={defaultValue}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={issue === undefined ? undefined : true}
        aria-describedby={`${issue === undefined ? '' : `${id}-issue `}${id}-hint`}
        className={FIELD_LOOK}
      />
      {issue === undefined ? null : (
        <p id={`${id}-issue`} className="text-body text-brick">
          {issue}
        </p>
      )}
      <p id={`${id}-hint`} className="text-note text-quiet">
        {hint}
      </p>
    </div>
  );
}
