import { TextField } from '@gatehouse/ui/form/text-field';
import type { ReactElement } from 'react';
import { t } from './words.js';

/** Why staff do something, for the audit log. */
export function ReasonField(): ReactElement {
  return (
    <TextField
      name="reason"
      label={t('reason.field')}
      hint={t('reason.hint')}
      autoComplete="off"
      maxLength={500}
      required
    />
  );
}
