import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, StillAsking } from '@gatehouse/ui/form/form';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { returnAddress } from '@gatehouse/ui/session/next-path';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useId, useState } from 'react';
import { useSettings } from '../../../signed-out/settings.js';
import { keep, kept } from '../../../tab-storage.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { type ProviderAction, priceText, statusOf } from './billing-status.js';
import { Invoices } from './invoices.js';

type Plan = MainOutputs['billing']['plans']['data'][number];

/** The plans that can be bought, side by side. Buying one leads to the provider, and back here. */
export function Plans({
  canBuy,
  current,
}: {
  readonly canBuy: boolean;
  /** The key of the plan that the account has. */
  readonly current: string | undefined;
}): ReactElement {
  const { api, key } = usePlace();
  const id = useId();
  const plans = useQuery({
    queryKey: [...key, 'plans'],
    queryFn: ({ signal }) => api.billing.plans.query(undefined, { signal }),
  });
  if (isGatehouseError(plans.error, 'provider_not_configured')) return <p>{t('plans.none')}</p>;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="text-title font-bold">
        {t('plans.title')}
      </h2>
      <QueryView answer={plans} isPart>
        {({ data }) => (
          <ul className="grid gap-4 *:min-w-0 rows:grid-cols-2 wide:grid-cols-3">
            {data.map((plan) => (
              <PlanCard key={plan.key} plan={plan} canBuy={canBuy} isCurrent={plan.key === current} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

const INVOICED = { month: 'plans.monthly', year: 'plans.yearly' } as const;

/** How a plan is paid and ended. */
function termsOf({ price }: Plan): string[] {
  return [...(price === undefined ? [] : [t(INVOICED[price.per])]), t('plans.cancelable')];
}

function PlanCard({
  plan,
  canBuy,
  isCurrent,
}: {
  readonly plan: Plan;
  readonly canBuy: boolean;
  readonly isCurrent: boolean;
}): ReactElement {
  const { api } = usePlace();
  const mutation = useMutationState();
  return (
    <li
      className={`flex flex-col gap-4 border bg-card p-4 ${isCurrent ? 'border-harbour outline outline-harbour' : 'border-line'}`}
    >
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="min-w-0 text-lead font-bold">
            <bdi>{plan.name}</bdi>
          </h3>
          {isCurrent ? <Badge tone="ok">{t('plans.current')}</Badge> : null}
        </div>
        <p className={plan.price === undefined ? 'text-quiet' : 'text-title font-bold'}>
          {plan.price === undefined ? t('plans.priceLater') : priceText(plan.price)}
        </p>
      </div>
      <ul className="flex flex-1 flex-col gap-1.5">
        {termsOf(plan).map((words) => (
          <li key={words} className="flex items-start gap-2">
            <span className="pt-0.5">
              <StatusIcon tone="ok" />
            </span>
            {words}
          </li>
        ))}
      </ul>
      {canBuy ? (
        <Button
          isWide
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async (signal) => {
              const { data } = await api.billing.checkout.mutate({ plan: plan.key }, { signal });
              await leaveTo(data.url);
            })
          }
        >
          {t('plans.choose')}
          <span className="sr-only"> {plan.name}</span>
        </Button>
      ) : null}
      <StillAsking mutation={mutation} />
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </li>
  );
}

/** Goes to the provider's page for the action. The provider's event, not this page, changes the subscription here. */
function ProviderButton({
  action: { page, words },
  isFirst,
}: {
  readonly action: ProviderAction;
  readonly isFirst: boolean;
}): ReactElement {
  const { api } = usePlace();
  const mutation = useMutationState();
  return (
    <>
      <Button
        kind={isFirst ? 'primary' : 'plain'}
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const { data } = await api.billing.portal.mutate({ page }, { signal });
            await leaveTo(data.url);
          })
        }
      >
        {words}
      </Button>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </>
  );
}

export const BillingScreen = inLanguage(Billing);

/** How long the page waits for the provider's event about a payment. */
const PATIENCE_MS = 60_000;

const LOOKS_EVERY_MS = 2_000;

function Billing(): ReactElement {
  const { api, key, mayDo, maySee } = usePlace();
  const isBack = useIsBack();
  const subscription = useQuery({
    queryKey: [...key, 'subscription'],
    queryFn: ({ signal }) => api.subscription.current.query(undefined, { signal }),
    refetchInterval: isBack ? LOOKS_EVERY_MS : false,
  });
  return (
    <QueryView answer={subscription} title={t('billing.title')}>
      {({ data }) => {
        const status = statusOf(data);
        const { actions, canBuy } = status;
        // The plan stays known after its subscription has ended.
        const plan = data.active && data.state !== 'trialing' ? data.plan : null;
        return (
          <Screen title={t('billing.title')}>
            <Standing status={status} hasPlan={plan !== null} />
            {isBack && actions.length === 0 ? (
              <Banner tone="pending" shape="clock">
                {t('billing.back')}
              </Banner>
            ) : null}
            <WayBack />
            {canBuy && maySee('billing.manage') ? (
              <Plans canBuy={mayDo('billing.manage')} current={plan?.key} />
            ) : null}
            {mayDo('billing.manage') ? <Invoices subscription={data} /> : null}
            {maySee('billing.manage') ? null : <p className="text-quiet">{t('billing.who')}</p>}
          </Screen>
        );
      }}
    </QueryView>
  );
}

/** What the account has, and what can be done about it. A state that needs attention is a note, a normal one a card. */
function Standing({
  status: { tone, title, lead, actions: offered },
  hasPlan,
}: {
  readonly status: ReturnType<typeof statusOf>;
  readonly hasPlan: boolean;
}): ReactElement {
  const { mayDo } = usePlace();
  const actions =
    offered.length > 0 && mayDo('billing.manage')
      ? offered.map((action, place) => (
          <ProviderButton key={action.words} action={action} isFirst={place === 0} />
        ))
      : undefined;
  if (tone !== 'ok') {
    return (
      <StatusNote tone={tone} title={title} actions={actions}>
        <p>{lead}</p>
      </StatusNote>
    );
  }
  return (
    <Card
      title={<span className="text-title">{title}</span>}
      aside={hasPlan ? <Badge tone="ok">{t('plans.current')}</Badge> : undefined}
    >
      <div className="flex flex-col gap-4 p-3">
        <p className="text-lead">{lead}</p>
        {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
    </Card>
  );
}

/** Leads back to the product that sent the person here, also after the pages of the provider. */
function WayBack(): ReactElement | null {
  const { next } = useSearch({ strict: false });
  const { brand, returnOrigins } = useSettings();
  const { accountId } = usePlace();
  useEffect(() => {
    if (next !== undefined) keep('return', `${accountId} ${next}`);
  }, [next, accountId]);
  const [from, back] = (kept('return') ?? '').split(' ');
  const address = returnAddress(next ?? (from === String(accountId) ? back : null) ?? null, returnOrigins);
  if (address === undefined) return null;
  return (
    <div>
      <ButtonLink href={address}>{t('billing.return', { product: brand.name })}</ButtonLink>
    </div>
  );
}

/** Whether the person just came back from the provider. */
function useIsBack(): boolean {
  const { returned = false } = useSearch({ strict: false });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return returned && !isLate;
}
