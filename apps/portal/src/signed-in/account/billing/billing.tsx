import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, StillAsking } from '@gatehouse/ui/form/form';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { returnAddress } from '@gatehouse/ui/session/next-path';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { useSettings } from '../../../signed-out/settings.js';
import { keep, kept } from '../../../tab-storage.js';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { type ProviderAction, priceText, statusOf } from './billing-status.js';

type Plan = MainOutputs['billing']['plans']['data'][number];

/** The plans that can be bought. Buying one leads to the provider, and back here. */
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
        const { tone, title, lead, actions, canBuy } = statusOf(data);
        const via = data.provider === null ? undefined : PROVIDERS[data.provider];
        return (
          <Screen title={t('billing.title')}>
            <StatusNote
              tone={tone}
              title={title}
              actions={
                actions.length > 0 && mayDo('billing.manage')
                  ? actions.map((action, place) => (
                      <ProviderButton key={action.words} action={action} isFirst={place === 0} />
                    ))
                  : undefined
              }
            >
              <p>{lead}</p>
              {via === undefined ? null : <p className="text-quiet">{t('plans.by', { provider: via })}</p>}
            </StatusNote>
            {isBack && actions.length === 0 ? <Banner tone="pending">{t('billing.back')}</Banner> : null}
            <WayBack />
            {canBuy && maySee('billing.manage') ? <Plans canBuy={mayDo('billing.manage')} /> : null}
            {maySee('billing.manage') ? null : <p className="text-quiet">{t('billing.who')}</p>}
          </Screen>
        );
      }}
    </QueryView>
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
