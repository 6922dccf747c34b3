import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { PROVIDERS, SubscriptionCard } from './account-facts.js';
import { type AccountPage, AccountView, accountKey, statusOf, useAccountId } from './account-page.js';
import { AllEvents, isOpen } from './events.js';
import { hasTrialAhead, TrialDialog } from './trial-dialog.js';
import { t } from './words.js';

/** Asks the provider what an account pays for. */
function Reconcile({
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

export const BillingScreen = inLanguage(Billing);

function Billing(): ReactElement {
  const accountId = useAccountId();
  return mayAnywhere(useMe(), 'account.read') ? <Shown key={accountId} accountId={accountId} /> : <Denied />;
}

function Shown({ accountId }: { readonly accountId: number }): ReactElement {
  return (
    <AccountView accountId={accountId} here={t('subscription.title')}>
      {(data) => <Page page={data} />}
    </AccountView>
  );
}

function Page({ page }: { readonly page: AccountPage }): ReactElement {
  const [isExtending, setExtending] = useState(false);
  const [notice, setNotice] = useState<string>();
  const { title, tone } = statusOf(page);
  const waiting = page.webhooks.filter(isOpen).length;
  return (
    <Screen
      title={title}
      tone={tone}
      lead={t('billing.lead', { count: waiting })}
      actions={
        hasTrialAhead(page) ? (
          <Button kind="primary" onClick={() => setExtending(true)}>
            {t('trial.open')}
          </Button>
        ) : page.actions.includes('reconcile') ? (
          <Reconcile page={page} onNotice={setNotice} />
        ) : undefined
      }
    >
      <Notice text={notice} onClose={setNotice} />
      <SubscriptionCard page={page} />
      <AllEvents page={page} />
      {isExtending ? (
        <TrialDialog page={page} onNotice={setNotice} onClose={() => setExtending(false)} />
      ) : null}
    </Screen>
  );
}
