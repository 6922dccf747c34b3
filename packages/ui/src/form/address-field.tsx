import type { ReactElement } from 'react';
import { TextField, type TextFieldProps } from './text-field.js';

/**
 * A field for an e-mail address. It is a field for text, because browsers refuse full-width letters in their own fields for
 * addresses and change what was typed; the service normalizes and checks it. Preact writes no attribute for `false`.
 */
export function AddressField(
  props: Omit<TextFieldProps, 'type' | 'inputMode' | 'autoCapitalize' | 'spellCheck'>,
): ReactElement {
  return <TextField {...props} type="text" inputMode="email" autoCapitalize="none" spellCheck="false" />;
}
