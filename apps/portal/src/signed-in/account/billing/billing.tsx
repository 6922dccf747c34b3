import { Banner } from '@gatehouse/ui/parts/banner';
import { Asked } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { Plans } from './plans.js';
import { ProviderPage } from './provider-page.js';
import { standingOf } from './standing.js';

export const BillingScreen = inLanguage(Billing);

/** How long the page looks for what the provider tells the service about a payment. */
const PATIENCE_MS = 60_000;
const LOOKS_EVERY_MS = 2_000;

function Billing(): ReactElement {
  const { api, key, accountName, mayDo, maySee } = usePlace();
  const isBack = useIsBack();
  const subscription = useQuery({
    queryKey: [...key, 'subscription'],
    queryFn: ({ signal }) => api.subscription.current.query(undefined, { signal }),
    refetchInterval: isBack ? LOOKS_EVERY_MS : false,
  });
  return (
    <Asked answer={subscription}>
      {({ data }) => {
        const { tone, title, lead, isPaid, canBuy } = standingOf(data, accountName);
        return (
          <Screen
            title={title}
            tone={tone}
            lead={lead}
            actions={isPaid && mayDo('billing.manage') ? <ProviderPage /> : undefined}
          >
            {isBack && !isPaid ? <Banner tone="pending">{t('billing.back')}</Banner> : null}
            {canBuy && maySee('billing.manage') ? <Plans canBuy={mayDo('billing.manage')} /> : null}
            {maySee('billing.manage') ? null : <p className="text-quiet">{t('billing.who')}</p>}
          </Screen>
        );
      }}
    </Asked>
  );
}

/** Whether somebody came back from the provider a moment ago. */
function useIsBack(): boolean {
  const { returned = false } = useSearch({ strict: false });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return returned && !isLate;
}
