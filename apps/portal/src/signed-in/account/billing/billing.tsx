import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, StillAsking } from '@gatehouse/ui/form/form';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { statusOf } from './billing-status.js';

type Plan = MainOutputs['billing']['plans']['data'][number];

/** The plans that can be bought. To buy one leads to the provider, and back here. */
export function Plans({ canBuy }: { readonly canBuy: boolean }): ReactElement | null {
  const { api, key } = usePlace();
  const plans = useQuery({
    queryKey: [...key, 'plans'],
    queryFn: ({ signal }) => api.billing.plans.query(undefined, { signal }),
  });
  if (isGatehouseError(plans.error, 'provider_not_configured')) return <p>{t('plans.none')}</p>;
  return (
    <Card title={t('plans.title')}>
      <QueryView answer={plans} isPart>
        {({ data }) => (
          <ul>
            {data.map((plan) => (
              <Row key={plan.key} plan={plan} canBuy={canBuy} />
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}

const PROVIDERS: Readonly<Record<Plan['provider'], string>> = { stripe: 'Stripe', paddle: 'Paddle' };

function priceText({ amount, currency, per }: NonNullable<Plan['price']>): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const price = new Intl.NumberFormat(catalogue.locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
  }).format(amount);
  return t(per === 'month' ? 'plans.perMonth' : 'plans.perYear', { price });
}

function Row({ plan, canBuy }: { readonly plan: Plan; readonly canBuy: boolean }): ReactElement {
  const { api } = usePlace();
  const mutation = useMutationState();
  return (
    <li className="flex flex-col gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <bdi className="text-lead font-semibold">{plan.name}</bdi>
          {plan.price === undefined ? null : <p>{priceText(plan.price)}</p>}
          <p className="text-quiet">{t('plans.by', { provider: PROVIDERS[plan.provider] })}</p>
        </div>
        {canBuy ? (
          <Button
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
      </div>
      <StillAsking mutation={mutation} />
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </li>
  );
}

/** Leads to the provider's page with invoices and means of payment, where a subscription is changed and ended. */
export function ProviderPage(): ReactElement {
  const { api } = usePlace();
  const mutation = useMutationState();
  return (
    <>
      <Button
        kind="primary"
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const { data } = await api.billing.portal.mutate(undefined, { signal });
            await leaveTo(data.url);
          })
        }
      >
        {t('billing.portal')}
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
    <QueryView answer={subscription}>
      {({ data }) => {
        const { tone, title, lead, isPaid, canBuy } = statusOf(data);
        return (
          <Screen title={t('billing.title')}>
            <StatusNote
              tone={tone}
              title={title}
              actions={isPaid && mayDo('billing.manage') ? <ProviderPage /> : undefined}
            >
              <p>{lead}</p>
            </StatusNote>
            {isBack && !isPaid ? <Banner tone="pending">{t('billing.back')}</Banner> : null}
            {canBuy && maySee('billing.manage') ? <Plans canBuy={mayDo('billing.manage')} /> : null}
            {maySee('billing.manage') ? null : <p className="text-quiet">{t('billing.who')}</p>}
          </Screen>
        );
      }}
    </QueryView>
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
