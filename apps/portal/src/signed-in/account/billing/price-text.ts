import type { MainOutputs } from '@gatehouse/client-sdk';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { t } from '../words.js';

type Price = NonNullable<MainOutputs['billing']['plans']['data'][number]['price']>;

/** The price of a plan, such as "€29 / month". */
export function priceText({ amount, currency, per }: Price): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const price = new Intl.NumberFormat(catalogue.locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
  }).format(amount);
  return t(per === 'month' ? 'plans.perMonth' : 'plans.perYear', { price });
}
