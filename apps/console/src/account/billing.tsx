import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { type AccountPage, useAccountId, useAccountPage } from './account-page.js';
import { statusOf } from './account-status.js';
import { AllEvents, isOpen } from './events.js';
import { SubscriptionCard } from './facts.js';
import { AccountPath } from './path.js';
import { Reconcile } from './reconcile.js';
import { TrialDialog } from './trial-dialog.js';
import { hasTrialAhead } from './trial-ends.js';
import { t } from './words.js';

export const BillingScreen = inLanguage(Billing);

function Billing(): ReactElement {
  const accountId = useAccountId();
  return mayAnywhere(useMe(), 'account.read') ? <Shown key={accountId} accountId={accountId} /> : <Denied />;
}

function Shown({ accountId }: { readonly accountId: number }): ReactElement {
  const page = useAccountPage(accountId);
  return <Asked answer={page}>{(data) => <Page page={data} />}</Asked>;
}

function Page({ page }: { readonly page: AccountPage }): ReactElement {
  const [isExtending, setExtending] = useState(false);
  const [notice, setNotice] = useState<string>();
  const { title, tone } = statusOf(page);
  const waiting = page.webhooks.filter(isOpen).length;
  return (
    <div className="flex flex-col gap-4">
      <AccountPath account={page.account} here={t('subscription.title')} />
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
        {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
        <SubscriptionCard page={page} />
        <AllEvents page={page} />
        {isExtending ? (
          <TrialDialog page={page} onNotice={setNotice} onClose={() => setExtending(false)} />
        ) : null}
      </Screen>
    </div>
  );
}
