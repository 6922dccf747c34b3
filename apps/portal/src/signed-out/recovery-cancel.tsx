import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { AuthLayout } from './auth-layout.js';
import { t } from './words.js';

/** Cancels a recovery by the link of a mail. Programs that open links press no button. */
export function CancelRecovery({ token }: { readonly token: string }): ReactElement {
  const mutation = useMutationState();
  const once = useOnce();
  const [state, setState] = useState<'asking' | 'done' | 'unsure'>('asking');
  if (state !== 'asking') {
    const isSure = state === 'done';
    return (
      <AuthLayout
        title={t(isSure ? 'recovery.canceled' : 'recovery.unsure')}
        lead={t(isSure ? 'recovery.canceledLead' : 'recovery.unsureLead')}
        tone={isSure ? 'ok' : 'pending'}
        takesFocus
      >
        <div className="flex flex-wrap gap-3">
          <ButtonLink kind="primary" href={SCREENS.forgot}>
            {t('recovery.newPassword')}
          </ButtonLink>
          <ButtonLink href={SCREENS.signIn}>{t('signIn.submit')}</ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('recovery.question')} lead={t('recovery.questionLead')} tone="pending">
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <div className="flex flex-wrap gap-3">
        <Button
          kind="grave"
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              let next: 'done' | 'unsure' = 'unsure';
              await once(
                async () => {
                  await gatehouse.api.recovery.cancelMine.mutate({ token }, { signal });
                  next = 'done';
                },
                // It is over, by that try or by something else.
                (refusal) => isGatehouseError(refusal, 'invalid_token'),
              );
              setState(next);
            })
          }
        >
          {t('recovery.cancel')}
        </Button>
        <ButtonLink href={SCREENS.signIn}>{t('recovery.leave')}</ButtonLink>
      </div>
    </AuthLayout>
  );
}
