import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Button } from '@gatehouse/ui/parts/button';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { AuthLayout } from '../sign-in/auth-layout.js';
import { RecoveryForm } from '../sign-in/recovery-form.js';
import { t } from './words.js';

/** Accepts the code of a recovery from a person whose sign-in asked for no second step. */
export function RecoveryStep({
  onProven,
  onBack,
}: {
  readonly onProven: () => Promise<void>;
  readonly onBack: () => void;
}): ReactElement {
  const mutation = useMutationState('ticket');
  return (
    <AuthLayout title={t('enrol.recoveryTitle')} lead={t('enrol.recoveryLead')} takesFocus>
      <RecoveryForm
        mutation={mutation}
        onTicket={async (ticket, signal) => {
          try {
            await gatehouse.api.verification.prove.mutate({ ticket }, { signal });
          } catch (error) {
            // It is accepted within ten minutes of a sign-in.
            if (!isGatehouseError(error, 'verification_required')) throw error;
            mutation.fail({ message: t('enrol.signInAnew'), issues: [], mayRetry: false });
            return;
          }
          await onProven();
        }}
      />
      <Button isWide onClick={onBack}>
        {t('enrol.back')}
      </Button>
    </AuthLayout>
  );
}
