import { type ReactElement, useState } from 'react';
import { t } from '../messages/translate.js';
import { TextField, type TextFieldProps } from './text-field.js';

/** A password, which can be shown while it is typed. */
export function PasswordField({
  autoComplete,
  ...field
}: Omit<TextFieldProps, 'type' | 'aside' | 'isCode'> & {
  readonly autoComplete: 'current-password' | 'new-password';
}): ReactElement {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      aside={
        <button
          type="button"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="-my-1 min-h-6 cursor-pointer rounded-small px-1 text-body text-harbour underline underline-offset-3 hover:decoration-2"
        >
          {t(isShown ? 'ui.password.hide' : 'ui.password.show')}
        </button>
      }
    />
  );
}
