import { Card } from '@gatehouse/ui/parts/card';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { roleWords } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { Fact, Facts } from '../shell/facts.js';
import type { AccountPage } from './account-page.js';
import { t } from './words.js';

/** The owner of an account, and since when it exists. */
export function FactsCard({
  page: { account, owner, erasedAt },
}: {
  readonly page: AccountPage;
}): ReactElement {
  return (
    <Card title={t('account.facts')}>
      <Facts>
        <Fact name={t('account.owner')}>
          {owner === null ? (
            t('account.nobody')
          ) : (
            <>
              <Link to="/members/$memberId" params={{ memberId: String(owner.id) }} className={LINK}>
                <bdi>{owner.name}</bdi>
              </Link>
              <bdi className="block text-quiet">
                {owner.email === null ? null : shownAddress(owner.email)}
              </bdi>
              {owner.isDeleted ? <span className="block text-brick">{t('account.ownerDeleted')}</span> : null}
            </>
          )}
        </Fact>
        <Fact name={t('account.since')}>{shownDay(account.createdAt)}</Fact>
        {erasedAt === null ? null : <Fact name={t('account.erased')}>{shownDay(erasedAt)}</Fact>}
      </Facts>
    </Card>
  );
}

/** The states of subscriptions, in words. */
export const SUBSCRIPTION_STATES = {
  trialing: 'subscription.trialing',
  active: 'subscription.active',
  past_due: 'subscription.pastDue',
  paused: 'subscription.paused',
  canceled: 'subscription.canceled',
  expired: 'subscription.expired',
} as const;

/** What an account pays, to whom, and until when. */
export function SubscriptionCard({ page: { subscription } }: { readonly page: AccountPage }): ReactElement {
  const { state = 'expired', provider, plan, planName, addOns = [] } = subscription ?? {};
  const collectionPaused = subscription?.collectionPaused ?? false;
  const { trialEndsAt, periodEndsAt, cancelAt } = subscription ?? {};
  const day = (at: string) => shownDay(at);
  return (
    <Card title={t('subscription.title')}>
      <Facts>
        <Fact name={t('subscription.state')}>
          {t(subscription === null ? 'subscription.none' : SUBSCRIPTION_STATES[state])}
        </Fact>
        {provider ? (
          <Fact name={t('subscription.provider')}>
            <bdi>{PROVIDERS[provider] ?? provider}</bdi>
          </Fact>
        ) : null}
        {plan ? (
          <Fact name={t('subscription.plan')}>
            <bdi>{planName ?? plan}</bdi>
            {planName ? <bdi className="block text-quiet wrap-anywhere">{plan}</bdi> : null}
          </Fact>
        ) : null}
        {addOns.length > 0 ? (
          <Fact name={t('subscription.addOns')}>
            <bdi>{addOns.join(', ')}</bdi>
          </Fact>
        ) : null}
        {collectionPaused ? (
          <Fact name={t('subscription.collection')}>{t('subscription.collectionPaused')}</Fact>
        ) : null}
        {trialEndsAt ? <Fact name={t('subscription.trialEnds')}>{day(trialEndsAt)}</Fact> : null}
        {periodEndsAt ? <Fact name={t('subscription.periodEnds')}>{day(periodEndsAt)}</Fact> : null}
        {cancelAt ? <Fact name={t('subscription.cancels')}>{day(cancelAt)}</Fact> : null}
      </Facts>
    </Card>
  );
}

/** The names of the payment providers. */
export const PROVIDERS: Readonly<Record<string, string>> = { stripe: 'Stripe', paddle: 'Paddle' };

/** The staff who were granted an account. */
export function GrantsCard({ page: { grants } }: { readonly page: AccountPage }): ReactElement | null {
  if (grants.length === 0) return null;
  return (
    <Card title={t('account.grants')}>
      <ul className="divide-y divide-line">
        {grants.map(({ personnelId, name, role, roleType, active }) => (
          <li
            key={personnelId}
            className="flex flex-wrap items-baseline justify-between gap-x-3 p-3 wrap-anywhere"
          >
            <span>
              <bdi className="font-semibold">{name}</bdi>
              {active ? null : <span> {t('account.grantOff')}</span>}
            </span>
            <bdi className="text-quiet">{roleWords(roleType) || role}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}
