import type { MutationState } from '@gatehouse/ui/call/mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import type { ReactElement } from 'react';
import { t } from '../words.js';

/** Takes the code that a recovery mailed, which is its ticket. */
export function RecoveryForm({
  mutation,
  onTicket,
}: {
  readonly mutation: MutationState;
  readonly onTicket: (ticket: string, signal: AbortSignal) => Promise<void>;
}): ReactElement {
  return (
    <Form mutation={mutation} onSend={({ ticket = '' }, signal) => onTicket(ticket.trim(), signal)}>
      <TextField
        name="ticket"
        label={t('field.recoveryCode')}
        isCode
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div>
        <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('step.continue')}
        </Button>
      </div>
    </Form>
  );
}
