import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { type AccountPage, useAccountId, useAccountPage } from './account-page.js';
import { statusOf } from './account-status.js';
import { EventsCard } from './events.js';
import { FactsCard, GrantsCard, SubscriptionCard } from './facts.js';
import { MembersCard } from './members-card.js';
import { AccountPath } from './path.js';
import { PolicyCard } from './policy-card.js';
import { SeldomActions } from './seldom-actions.js';
import { TrialDialog } from './trial-dialog.js';
import { hasTrialAhead } from './trial-ends.js';
import { t } from './words.js';

export const AccountScreen = inLanguage(Account);

function Account(): ReactElement {
  const accountId = useAccountId();
  return mayAnywhere(useMe(), 'account.read') ? <Shown key={accountId} accountId={accountId} /> : <Denied />;
}

function Shown({ accountId }: { readonly accountId: number }): ReactElement {
  const page = useAccountPage(accountId);
  return <Asked answer={page}>{(data) => <Page page={data} />}</Asked>;
}

function Page({ page }: { readonly page: AccountPage }): ReactElement {
  const navigate = useNavigate();
  const [isExtending, setExtending] = useState(false);
  const [notice, setNotice] = useState<string>();
  const { title, tone, lead } = statusOf(page);
  return (
    <div className="flex flex-col gap-4">
      <AccountPath account={page.account} />
      <Screen
        title={title}
        tone={tone}
        lead={lead}
        actions={
          <>
            {page.actions.includes('seeInvitations') ? (
              <Button
                kind="primary"
                onClick={() =>
                  void navigate({
                    to: '/accounts/$accountId/members',
                    params: { accountId: String(page.account.id) },
                  })
                }
              >
                {t('people.open')}
              </Button>
            ) : null}
            {hasTrialAhead(page) ? (
              <Button onClick={() => setExtending(true)}>{t('trial.open')}</Button>
            ) : null}
            <SeldomActions page={page} onNotice={setNotice} />
          </>
        }
      >
        {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
        <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-6">
            <MembersCard page={page} />
            <EventsCard page={page} />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <FactsCard page={page} />
            <SubscriptionCard page={page} />
            {page.actions.includes('seePolicy') ? <PolicyCard accountId={page.account.id} /> : null}
            <GrantsCard page={page} />
          </div>
        </div>
        {isExtending ? (
          <TrialDialog page={page} onNotice={setNotice} onClose={() => setExtending(false)} />
        ) : null}
      </Screen>
    </div>
  );
}
