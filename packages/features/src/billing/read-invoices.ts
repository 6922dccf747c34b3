import { z } from 'zod';
import type { InvoiceState, ProviderInvoice, ProviderInvoices } from '../core/billing/payment-api.js';
import {
  displayText,
  expandableId,
  isoMilliseconds,
  providerId,
  unixMilliseconds,
} from './provider-fields.js';

/** The currencies in which both providers count whole units, and those in which they count thousandths. */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

const currencyShape = z
  .string()
  .regex(/^[a-z]{3}$/i)
  .transform((code) => code.toUpperCase());

function moneyOf(amount: number, currency: string) {
  return { amount, currency, decimals: DECIMALS.get(currency) ?? 2 };
}

/** An address for a link: of HTTPS, or of the origin at which the provider's own API is. Null for any other. */
function linkShape(apiOrigin: string) {
  return z
    .string()
    .nullish()
    .transform((address) => {
      if (typeof address !== 'string' || !URL.canParse(address)) return null;
      const { protocol, origin, href } = new URL(address);
      return protocol === 'https:' || origin === apiOrigin ? href : null;
    });
}

const none = (): ProviderInvoice[] => [];

/** Stripe documents that the state and the customer of an invoice may be null. */
const notIssued = z
  .object({ object: z.literal('invoice'), status: z.literal('draft').nullable() })
  .transform(none);
const nobodys = z.object({ object: z.literal('invoice'), customer: z.null() }).transform(none);

/**
 * A reader of Stripe's lists of invoices.
 * @param url the URL of Stripe's API
 */
export function stripeInvoicesFrom(url: string): (page: unknown) => ProviderInvoices {
  const link = linkShape(new URL(url).origin);
  const invoiceShape = z
    .object({
      id: providerId,
      object: z.literal('invoice'),
      customer: expandableId,
      number: displayText.nullish(),
      created: unixMilliseconds,
      status_transitions: z.object({ finalized_at: unixMilliseconds.nullish() }).nullish(),
      total: z.int(),
      currency: currencyShape,
      status: z.enum(['open', 'paid', 'uncollectible', 'void']),
      hosted_invoice_url: link,
      invoice_pdf: link,
    })
    .transform(({ status, ...invoice }): ProviderInvoice[] => [
      {
        id: invoice.id,
        customerId: invoice.customer,
        number: invoice.number ?? null,
        issuedAtMs: invoice.status_transitions?.finalized_at ?? invoice.created,
        ...moneyOf(invoice.total, invoice.currency),
        state: status,
        pageUrl: invoice.hosted_invoice_url,
        pdfUrl: invoice.invoice_pdf,
      },
    ]);
  const pageShape = z.object({
    object: z.literal('list'),
    has_more: z.boolean(),
    data: z.array(z.union([notIssued, nobodys, invoiceShape])),
  });
  return (page) => {
    const { data, has_more: hasOlder } = pageShape.parse(page);
    return { invoices: data.flat(), hasOlder };
  };
}

const PADDLE_STATES = {
  billed: 'open',
  past_due: 'open',
  paid: 'paid',
  completed: 'paid',
} as const satisfies Record<string, InvoiceState>;

/** A transaction as Paddle's SDK lists it. */
const transactionShape = z
  .object({
    id: providerId,
    customerId: providerId,
    invoiceNumber: displayText.nullable(),
    billedAt: isoMilliseconds.nullable(),
    createdAt: isoMilliseconds,
    status: z.enum(['billed', 'past_due', 'paid', 'completed']),
    currencyCode: currencyShape,
    details: z.object({ totals: z.object({ grandTotal: z.string().regex(/^-?\d{1,15}$/) }) }),
  })
  .transform(
    ({ status, ...transaction }): ProviderInvoice => ({
      id: transaction.id,
      customerId: transaction.customerId,
      number: transaction.invoiceNumber,
      issuedAtMs: transaction.billedAt ?? transaction.createdAt,
      ...moneyOf(Number(transaction.details.totals.grandTotal), transaction.currencyCode),
      state: PADDLE_STATES[status],
      // Paddle makes an address for one invoice at a time, which is good for an hour.
      pageUrl: null,
      pdfUrl: null,
    }),
  );

/** A page of Paddle's transactions, as invoices. */
export function readPaddleInvoices(transactions: unknown): ProviderInvoice[] {
  return z.array(transactionShape).parse(transactions);
}
