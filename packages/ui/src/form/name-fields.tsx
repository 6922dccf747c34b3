import type { ReactElement } from 'react';
import { t } from '../messages/translate.js';
import { TextField } from './text-field.js';

/** The names of a person. */
export function NameFields({
  of: { firstName, lastName } = { firstName: '', lastName: '' },
  isOwn = false,
  required = false,
}: {
  readonly of?: { readonly firstName: string; readonly lastName: string };
  /** Whether people enter their own name, which the browser can fill in. */
  readonly isOwn?: boolean;
  readonly required?: boolean;
}): ReactElement {
  return (
    <>
      <TextField
        name="firstName"
        label={t('ui.name.first')}
        defaultValue={firstName}
        autoComplete={isOwn ? 'given-name' : 'off'}
        required={required}
      />
      <TextField
        name="lastName"
        label={t('ui.name.last')}
        defaultValue={lastName}
        autoComplete={isOwn ? 'family-name' : 'off'}
        required={required}
      />
    </>
  );
}
