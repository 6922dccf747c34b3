import type { MainOutputs } from '@gatehouse/client-sdk';
import { isGatehouseError } from '@gatehouse/client-sdk';
import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { StillAsking } from '@gatehouse/ui/form/still-asking';
import { catalogue } from '@gatehouse/ui/messages/say';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
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
    <Sheet title={t('plans.title')}>
      <Asked answer={plans} isPart>
        {({ data }) => (
          <ul>
            {data.map((plan) => (
              <Row key={plan.key} plan={plan} canBuy={canBuy} />
            ))}
          </ul>
        )}
      </Asked>
    </Sheet>
  );
}

const PROVIDERS: Readonly<Record<Plan['provider'], string>> = { stripe: 'Stripe', paddle: 'Paddle' };

function sayPrice({ amount, currency, per }: NonNullable<Plan['price']>): string {
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
  const sending = useSending();
  return (
    <li className="flex flex-col gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <bdi className="text-lead font-semibold">{plan.name}</bdi>
          {plan.price === undefined ? null : <p>{sayPrice(plan.price)}</p>}
          <p className="text-quiet">{t('plans.by', { provider: PROVIDERS[plan.provider] })}</p>
        </div>
        {canBuy ? (
          <Button
            isBusy={sending.isBusy}
            onClick={() =>
              sending.send(async (signal) => {
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
      <StillAsking sending={sending} />
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
    </li>
  );
}
