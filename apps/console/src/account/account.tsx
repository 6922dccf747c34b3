import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { PolicyStatus } from '@gatehouse/ui/team/policy-status';
import { roleName } from '@gatehouse/ui/team/role-name';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { AccountSsoCard } from '../single-sign-on/account-sso-card.js';
import { FactsCard, GrantsCard, SubscriptionCard } from './account-facts.js';
import { type AccountPage, AccountView, accountKey, statusOf, useAccountId } from './account-page.js';
import { ApplicationsCard } from './applications-card.js';
import { ConnectedAppsCard } from './connected-apps-card.js';
import { EventsCard } from './events.js';
import { RolesCard } from './roles-card.js';
import { SeldomActions } from './seldom-account-actions.js';
import { hasTrialAhead, TrialDialog } from './trial-dialog.js';
import { t } from './words.js';

/** How many the page of an account shows; the rest are on their own screen. */
const FEW = 5;

/** Who belongs to an account. */
function MembersCard({
  page: { account, members, counts, state },
}: {
  readonly page: AccountPage;
}): ReactElement {
  return (
    <Card
      title={t('account.members', { count: counts.members })}
      aside={
        state === 'live' ? (
          <Link to="/accounts/$accountId/members" params={{ accountId: String(account.id) }} className={LINK}>
            {t('people.all')}
          </Link>
        ) : null
      }
    >
      {members.length === 0 ? <p className="p-3 text-quiet">{t('account.noMembers')}</p> : null}
      <ul className="divide-y divide-line">
        {members.slice(0, FEW).map((member) => (
          <li
            key={member.id}
            className="flex flex-wrap items-baseline justify-between gap-x-3 p-3 wrap-anywhere"
          >
            <span>
              <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={LINK}>
                <bdi>{shownName(member)}</bdi>
              </Link>{' '}
              {member.isPrimaryOwner === true ? (
                <span className="text-quiet">{ofTeams('team.primaryOwner')}</span>
              ) : null}
            </span>
            <bdi className="text-quiet">
              {member.accountRoleLabel === null ? null : roleName(member.accountRoleLabel)}
            </bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The level that an account requires, and how many members do not reach it. */
function PolicyCard({ accountId }: { readonly accountId: number }): ReactElement {
  const policy = useQuery({
    queryKey: [...accountKey(accountId), 'policy'],
    queryFn: async ({ signal }) => {
      const { api } = gatehouse.withAccount(accountId);
      return (await api.accountPolicy.get.query(undefined, { signal })).data;
    },
  });
  return (
    <Card title={t('account.twoStep')}>
      <QueryView answer={policy} isPart>
        {(data) => (
          <div className="p-3">
            <PolicyStatus policy={data} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}

export const AccountScreen = inLanguage(Account);

function Account(): ReactElement {
  const accountId = useAccountId();
  return mayAnywhere(useMe(), 'account.read') ? <Shown key={accountId} accountId={accountId} /> : <Denied />;
}

function Shown({ accountId }: { readonly accountId: number }): ReactElement {
  return <AccountView accountId={accountId}>{(data) => <Page page={data} />}</AccountView>;
}

function Page({ page }: { readonly page: AccountPage }): ReactElement {
  const navigate = useNavigate();
  const [isExtending, setExtending] = useState(false);
  const [notice, setNotice] = useState<string>();
  const { title, tone, lead } = statusOf(page);
  return (
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
          {hasTrialAhead(page) ? <Button onClick={() => setExtending(true)}>{t('trial.open')}</Button> : null}
          <SeldomActions page={page} onNotice={setNotice} />
        </>
      }
    >
      <Notice text={notice} onClose={setNotice} />
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <MembersCard page={page} />
          <RolesCard page={page} onNotice={setNotice} />
          <EventsCard page={page} />
          {page.state === 'live' ? (
            <ApplicationsCard accountId={page.account.id} onNotice={setNotice} />
          ) : null}
          {page.state === 'live' ? (
            <ConnectedAppsCard
              of={{ accountId: page.account.id }}
              whereOf={({ memberId, memberName }) => (
                <Link to="/members/$memberId" params={{ memberId: String(memberId) }} className={LINK}>
                  <bdi>{memberName}</bdi>
                </Link>
              )}
            />
          ) : null}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FactsCard page={page} />
          <SubscriptionCard page={page} />
          {page.actions.includes('seePolicy') ? <PolicyCard accountId={page.account.id} /> : null}
          <AccountSsoCard accountId={page.account.id} />
          <GrantsCard page={page} />
        </div>
      </div>
      {isExtending ? (
        <TrialDialog page={page} onNotice={setNotice} onClose={() => setExtending(false)} />
      ) : null}
    </Screen>
  );
}
