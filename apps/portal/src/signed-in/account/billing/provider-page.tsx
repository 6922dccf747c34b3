import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';

/** Leads to the provider's page with invoices and means of payment, where a subscription is changed and ended. */
export function ProviderPage(): ReactElement {
  const { api } = usePlace();
  const mutation = useMutationState();
  return (
    <>
      <Button
        kind="primary"
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const { data } = await api.billing.portal.mutate(undefined, { signal });
            await leaveTo(data.url);
          })
        }
      >
        {t('billing.portal')}
      </Button>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </>
  );
}
