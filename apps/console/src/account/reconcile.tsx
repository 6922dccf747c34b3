import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey } from './account-page.js';
import { t } from './words.js';

/** Asks the provider about what an account pays for. */
export function Reconcile({
  page: { account, subscription },
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending();
  const provider = PROVIDERS[subscription?.provider ?? ''] ?? '';
  return (
    <>
      <Button
        isBusy={sending.isBusy}
        onClick={() => {
          onNotice(undefined);
          sending.send(async (signal) => {
            const wanted = { accountId: account.id };
            const { data } = await proven(() =>
              gatehouse.api.subscription.reconcile.mutate(wanted, { signal }),
            );
            await queries.invalidateQueries({ queryKey: accountKey(account.id) });
            onNotice(t(data.corrected === 0 ? 'reconcile.same' : 'reconcile.corrected', { provider }));
          });
        }}
      >
        {t('reconcile.open', { provider })}
      </Button>
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
    </>
  );
}

const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe', paddle: 'Paddle' };
