import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
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
  const mutation = useMutationState();
  const provider = PROVIDERS[subscription?.provider ?? ''] ?? '';
  return (
    <>
      <Button
        isBusy={mutation.isBusy}
        onClick={() => {
          onNotice(undefined);
          mutation.send(async (signal) => {
            const wanted = { accountId: account.id };
            const { data } = await withReauth(() =>
              gatehouse.api.subscription.reconcile.mutate(wanted, { signal }),
            );
            await queries.invalidateQueries({ queryKey: accountKey(account.id) });
            onNotice(t(data.corrected === 0 ? 'reconcile.same' : 'reconcile.corrected', { provider }));
          });
        }}
      >
        {t('reconcile.open', { provider })}
      </Button>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </>
  );
}

const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe', paddle: 'Paddle' };
