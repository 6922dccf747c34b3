import { type ReactElement, useId } from 'react';
import { t } from '../messages/translate.js';
import { FIELD_LOOK } from './field-look.js';
import { useFieldIssue, useLineIssues } from './form.js';

const MAX_LINES = 20;

/** The names under which issues with the field and with its lines are found. */
export const lineNames = (name: string): string[] => [
  name,
  ...Array.from({ length: MAX_LINES }, (_, at) => `${name}.${at}`),
];

/** The lines of a text that are not empty. */
export function linesIn(text = ''): { readonly number: number; readonly line: string }[] {
  return text
    .split('\n')
    .map((line, at) => ({ number: at + 1, line: line.trim() }))
    .filter(({ line }) => line !== '');
}

/** A labeled field with one value on each line. Issues with single values are shown with their lines. */
export function LinesField({
  name,
  label,
  hint,
  rows,
  defaultValue,
  sent,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly defaultValue: readonly string[];
  /** The text that was sent last, to whose values the issues refer. */
  readonly sent: string | undefined;
}): ReactElement {
  const id = useId();
  const issue = useFieldIssue(name);
  const lines = linesIn(sent);
  const issues = [
    ...(issue === undefined ? [] : [issue]),
    ...useLineIssues(name).map(({ at, message }) =>
      t('ui.line', { line: lines[at]?.number ?? at + 1, message }),
    ),
  ];
  const isInvalid = issues.length > 0;
  return (
    <div className="flex max-w-[30rem] flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        defaultValue={defaultValue.join('\n')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={`${isInvalid ? `${id}-issue ` : ''}${id}-hint`}
        className={FIELD_LOOK}
      />
      {isInvalid ? (
        <div id={`${id}-issue`} className="text-body text-brick">
          {issues.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </div>
      ) : null}
      <p id={`${id}-hint`} className="text-note text-quiet">
        {hint}
      </p>
    </div>
  );
}
