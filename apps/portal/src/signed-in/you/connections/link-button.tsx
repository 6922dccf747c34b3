import { type SocialProvider, startConnecting } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { keepLinking } from '../../../signed-out/linking.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';

/** Leads to a provider, and back with its profile. */
export function LinkButton({ provider }: { readonly provider: SocialProvider }): ReactElement {
  const mutation = useMutationState();
  return (
    <div className="flex flex-col gap-2">
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <Button
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async () => {
            await withReauth(() => startConnecting(gatehouse, provider));
            keepLinking();
            // The page is left; nothing on it should look finished.
            await new Promise<never>(() => undefined);
          })
        }
      >
        {nameOfProvider(provider)}
      </Button>
    </div>
  );
}
