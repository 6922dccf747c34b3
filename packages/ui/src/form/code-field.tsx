import type { ReactElement } from 'react';
import { TextField } from './text-field.js';

/** A field for a code that is mailed or shown by an app. One field, so that it can be pasted and filled in. */
export function CodeField({
  name,
  label,
  hint,
  digits,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** How many digits; absent where letters may be part of it. */
  readonly digits?: number;
}): ReactElement {
  return (
    <TextField
      name={name}
      label={label}
      {...(hint === undefined ? {} : { hint })}
      isCode
      required
      autoComplete={digits === undefined ? 'off' : 'one-time-code'}
      inputMode={digits === undefined ? 'text' : 'numeric'}
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={digits === undefined ? 40 : digits * 2 + 4}
    />
  );
}
