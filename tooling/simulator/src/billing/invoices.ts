import { escapeHtml } from '@gatehouse/http/pages/html-page';
import { z } from 'zod';
import { centsOf } from './plans.js';
import type { SimulatedProvider } from './send-life.js';
import { type Invoice, NAMES, newId, page, type Shop, type Subscription } from './shop.js';

/**
 * Issues an invoice for a subscription.
 * @param id its id if it already has one
 */
export function addInvoice(
  shop: Shop,
  subscription: Subscription,
  { id, status }: { readonly id?: string | undefined; readonly status: Invoice['status'] },
): Invoice {
  const { provider, customerId } = subscription;
  const invoice: Invoice = {
    id: id ?? newId(provider === 'stripe' ? 'in' : 'txn'),
    provider,
    customerId,
    subscriptionId: subscription.id,
    number: numberOfNext(shop, provider, customerId),
    cents: centsOf(subscription.priceId),
    issuedAtMs: Date.now(),
    status,
  };
  shop.invoices.set(invoice.id, invoice);
  return invoice;
}

/** Pays the open invoices of a subscription, and returns its last invoice. */
export function payDue(shop: Shop, subscription: Subscription): Invoice {
  const own = [...shop.invoices.values()].filter(({ subscriptionId }) => subscriptionId === subscription.id);
  for (const invoice of own) invoice.status = 'paid';
  return own.at(-1) ?? addInvoice(shop, subscription, { status: 'paid' });
}

/** Stripe numbers the invoices of each customer, Paddle those of the seller. */
function numberOfNext({ invoices }: Shop, provider: SimulatedProvider, customerId: string): string {
  const before = [...invoices.values()].filter((invoice) => invoice.provider === provider);
  if (provider === 'paddle') return `74820-${10_001 + before.length}`;
  const own = before.filter((invoice) => invoice.customerId === customerId);
  return `${customerId.slice(-8).toUpperCase()}-${String(own.length + 1).padStart(4, '0')}`;
}

/** The invoices of a customer, newest first. */
export function invoicesOf(shop: Shop, customerId: string | null): Invoice[] {
  return [...shop.invoices.values()]
    .filter((invoice) => invoice.customerId === customerId)
    .toReversed()
    .toSorted((one, other) => other.issuedAtMs - one.issuedAtMs);
}

const stripeEventShape = z.object({
  type: z.string().startsWith('invoice.'),
  created: z.number(),
  data: z.object({
    object: z.object({
      id: z.string(),
      customer: z.string(),
      amount_due: z.number(),
      status: z.enum(['open', 'paid']),
    }),
  }),
});

const paddleEventShape = z.object({
  event_type: z.string().startsWith('transaction.'),
  data: z.object({
    id: z.string(),
    customer_id: z.string(),
    status: z.enum(['paid', 'completed', 'past_due']),
    billed_at: z.string(),
    items: z.tuple([z.object({ price: z.object({ unit_price: z.object({ amount: z.coerce.number() }) }) })]),
  }),
});

/** Keeps the invoice of a generated event, or what happened to it. Other events have none. */
export function keepInvoice(shop: Shop, provider: SimulatedProvider, event: unknown): void {
  const stripe = stripeEventShape.safeParse(event).data;
  const paddle = paddleEventShape.safeParse(event).data?.data;
  const told = stripe
    ? {
        id: stripe.data.object.id,
        customerId: stripe.data.object.customer,
        cents: stripe.data.object.amount_due,
        issuedAtMs: stripe.created * 1000,
        status: stripe.data.object.status,
      }
    : paddle && {
        id: paddle.id,
        customerId: paddle.customer_id,
        cents: paddle.items[0].price.unit_price.amount,
        issuedAtMs: Date.parse(paddle.billed_at),
        status: paddle.status === 'past_due' ? ('open' as const) : ('paid' as const),
      };
  if (!told) return;
  const known = shop.invoices.get(told.id);
  if (known) known.status = told.status;
  else {
    const number = numberOfNext(shop, provider, told.customerId);
    shop.invoices.set(told.id, { ...told, provider, number, subscriptionId: undefined });
  }
}

const amountOf = ({ cents }: Invoice) => `EUR ${(cents / 100).toFixed(2)}`;

/** The provider's page of an invoice. */
export function invoicePage(invoice: Invoice): string {
  const { id, provider, number, status } = invoice;
  return page(`${NAMES[provider]} invoice, simulated`, [
    `<p>${escapeHtml(number)}, ${amountOf(invoice)}, ${status}.</p>`,
    `<p><a href="/stripe/invoice/${escapeHtml(id)}/pdf">Download as PDF</a></p>`,
  ]);
}

/** An invoice as a PDF of one line. */
export function invoicePdf(invoice: Invoice): string {
  const line = `${NAMES[invoice.provider]} invoice ${invoice.number}, simulated: ${amountOf(invoice)}`;
  const text = `BT /F1 14 Tf 50 780 Td (${line.replaceAll(/[^ -'*-[\]-~]/g, '')}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = body.length;
    body += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return `${body}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
}
