import { type SocialProvider, startConnecting } from '@gatehouse/client-sdk';
import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { proven } from '@gatehouse/ui/session/proven';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { keepLinking } from '../../../signed-out/linking.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';

/** Leads to a provider, and back with its profile. */
export function LinkButton({ provider }: { readonly provider: SocialProvider }): ReactElement {
  const sending = useSending();
  return (
    <div className="flex flex-col gap-2">
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
      <Button
        isBusy={sending.isBusy}
        onClick={() =>
          sending.send(async () => {
            await proven(() => startConnecting(gatehouse, provider));
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
