import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { regionalLocale, shownDay } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';

type Subscription = MainOutputs['subscription']['current']['data'];

type Invoice = MainOutputs['billing']['invoices']['data'][number];

/** How long a list is not read again: every reading asks the provider. */
const FRESH_MS = 300_000;

/** The latest invoices at the provider. They are read again when the subscription has changed. */
export function Invoices({ subscription }: { readonly subscription: Subscription }): ReactElement | null {
  const { api, key } = usePlace();
  const invoices = useQuery({
    queryKey: [...key, 'invoices', subscription],
    queryFn: ({ signal }) => api.billing.invoices.query(undefined, { signal }),
    staleTime: FRESH_MS,
  });
  const { data, error } = invoices;
  if (isGatehouseError(error, 'provider_not_configured')) return null;
  // The general sentence says that nothing was charged, which is not known here.
  const isUnanswered = isGatehouseError(error, 'provider_failed');
  return (
    <Card title={t('invoices.title')}>
      {isUnanswered ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 p-3">
          {t('invoices.failed')}
          <Button onClick={() => void invoices.refetch()}>{t('invoices.retry')}</Button>
        </div>
      ) : null}
      {isUnanswered && data === undefined ? null : (
        <QueryView answer={isUnanswered ? { ...invoices, error: null } : invoices} isPart>
          {(page) =>
            page.data.length === 0 ? (
              <p className="p-3 text-quiet">
                {page.hasOlder ? t('invoices.older', { button: t('billing.portal') }) : t('invoices.none')}
              </p>
            ) : (
              <InvoiceTable rows={page.data} hasOlder={page.hasOlder} />
            )
          }
        </QueryView>
      )}
    </Card>
  );
}

/** On a phone the number is below the date. */
const WIDE_ONLY = 'hidden rows:table-cell';

const HEAD = 'px-3 py-2 text-note font-normal text-quiet';

function InvoiceTable({
  rows,
  hasOlder,
}: {
  readonly rows: readonly Invoice[];
  readonly hasOlder: boolean;
}): ReactElement {
  const isWithoutPages = rows.every(({ pageUrl, pdfUrl }) => pageUrl === null && pdfUrl === null);
  const hint = hasOlder ? 'invoices.older' : isWithoutPages ? 'invoices.documents' : undefined;
  return (
    <>
      <table className="w-full">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className={`${HEAD} text-start`}>
              {t('invoices.date')}
            </th>
            <th scope="col" className={`${HEAD} text-start ${WIDE_ONLY}`}>
              {t('invoices.number')}
            </th>
            <th scope="col" className={`${HEAD} text-end max-rows:px-0`}>
              {t('invoices.amount')}
            </th>
            {isWithoutPages ? null : (
              <th scope="col" className="px-3 print:hidden">
                <span className="sr-only">{t('invoices.links')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} hasLinks={!isWithoutPages} />
          ))}
        </tbody>
      </table>
      {hint === undefined ? null : (
        <p className="border-t border-line p-3 text-quiet">{t(hint, { button: t('billing.portal') })}</p>
      )}
    </>
  );
}

const STATES = {
  open: { tone: 'pending', words: 'invoices.unpaid' },
  uncollectible: { tone: 'error', words: 'invoices.uncollectible' },
  void: { tone: 'ok', words: 'invoices.void' },
} as const;

function InvoiceRow({
  invoice,
  hasLinks,
}: {
  readonly invoice: Invoice;
  readonly hasLinks: boolean;
}): ReactElement {
  const { number, issuedAt, state, pageUrl, pdfUrl } = invoice;
  const mark = state === 'paid' ? undefined : STATES[state];
  return (
    <tr className="border-b border-line align-baseline last:border-0">
      <td className="px-3 py-2.5">
        <div className="flex flex-wrap items-center gap-x-2">
          <time dateTime={issuedAt}>{shownDay(issuedAt)}</time>
          {mark === undefined ? null : <Badge tone={mark.tone}>{t(mark.words)}</Badge>}
        </div>
        {number === null ? null : <bdi className="text-note text-quiet rows:hidden">{number}</bdi>}
      </td>
      <td className={`px-3 py-2.5 ${WIDE_ONLY}`}>
        <bdi>{number}</bdi>
      </td>
      <td className="px-3 py-2.5 text-end whitespace-nowrap tabular-nums max-rows:px-0">
        <bdi>{amountOf(invoice)}</bdi>
      </td>
      {hasLinks ? (
        <td className="px-3 py-2.5 print:hidden">
          <div className="flex flex-wrap justify-end gap-x-3 gap-y-1">
            <DocumentLink href={pageUrl} words={t('invoices.open')} number={number} />
            <DocumentLink href={pdfUrl} words={t('invoices.pdf')} number={number} />
          </div>
        </td>
      ) : null}
    </tr>
  );
}

function DocumentLink({
  href,
  words,
  number,
}: {
  readonly href: string | null;
  readonly words: string;
  /** Distinguishes the link from those of other rows. */
  readonly number: string | null;
}): ReactElement | null {
  if (href === null) return null;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="text-harbour underline decoration-1 underline-offset-3 hover:decoration-2"
    >
      {words}
      <span className="sr-only"> {number}</span>
    </a>
  );
}

/** An amount in the form of its currency. The provider decides how many digits are decimals: browsers differ about some. */
function amountOf({ amount, currency, decimals }: Invoice): string {
  return new Intl.NumberFormat(regionalLocale(), {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}
