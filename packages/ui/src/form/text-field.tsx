import { type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import { useFieldIssue } from './form-context.js';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'name'> {
  /** Also the path by which an issue finds the field. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What stands at the end of the label's line. */
  readonly aside?: ReactNode;
  /** For codes and keys, whose letters must be told apart. */
  readonly isCode?: boolean;
}

/** A labelled field that keeps its own text. It shows the issue that a refusal has with it. */
export function TextField({
  name,
  label,
  hint,
  aside,
  isCode = false,
  ...input
}: TextFieldProps): ReactElement {
  const id = useId();
  const issue = useFieldIssue(name);
  const notes = [
    ...(issue === undefined ? [] : [`${id}-issue`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {aside}
      </div>
      <input
        {...input}
        id={id}
        name={name}
        aria-invalid={issue === undefined ? undefined : true}
        aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
        className={`min-h-10 w-full rounded-small border border-edge bg-card px-3 py-2 text-lead text-ink read-only:bg-well aria-invalid:border-brick aria-invalid:outline aria-invalid:outline-1 aria-invalid:outline-brick focus-visible:outline-2 focus-visible:outline-harbour focus-visible:outline-offset-1 ${isCode ? 'font-mono tracking-widest' : ''}`}
      />
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
    </div>
  );
}
