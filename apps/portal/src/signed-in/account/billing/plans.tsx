import type { MainOutputs } from '@gatehouse/client-sdk';
import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { StillAsking } from '@gatehouse/ui/form/still-asking';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';

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
      <Asked answer={plans} isPart>
        {({ data }) => (
          <ul>
            {data.map((plan) => (
              <Row key={plan.key} plan={plan} canBuy={canBuy} />
            ))}
          </ul>
        )}
      </Asked>
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
