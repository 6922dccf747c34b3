import type { ReactElement } from 'react';
import { t } from '../messages/translate.js';
import { PASSWORD_LENGTH, PasswordField } from './text-field.js';

/** The fields for the current password, if there is one, and for the new one. */
export function PasswordFields({
  hasCurrent = true,
  hint,
}: {
  readonly hasCurrent?: boolean;
  readonly hint?: string;
}): ReactElement {
  return (
    <>
      {hasCurrent ? (
        <PasswordField
          name="currentPassword"
          label={t('ui.password.current')}
          autoComplete="current-password"
          required
        />
      ) : null}
      <PasswordField
        name="newPassword"
        label={t('ui.password.new')}
        {...(hint === undefined ? {} : { hint, leastLength: PASSWORD_LENGTH })}
        autoComplete="new-password"
        required
      />
    </>
  );
}
