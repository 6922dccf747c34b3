import { AppError } from '@gatehouse/auth-core';
import { listView } from '@gatehouse/http/page';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { BILLING_PROVIDERS } from '../core/billing/billing-event.js';
import { INVOICE_STATES, type ProviderInvoices } from '../core/billing/payment-api.js';
import type { Services } from '../core/context.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { listOwnCustomers, type OwnCustomer } from './account-customers.js';
import { askProvider, type ProviderDeadline, providerDeadline } from './ask-provider.js';

const MAX_PER_HOUR = 60;

const HOUR_MS = 3_600_000;

/** The most invoices in an answer. */
const MOST = 12;

const link = z.url().nullable();

const invoiceView = z.object({
  id: z.string(),
  provider: z.enum(BILLING_PROVIDERS),
  number: z.string().nullable(),
  issuedAt: z.iso.datetime(),
  /** In the smallest unit in which the provider counts the currency; negative for a credit. */
  amount: z.int(),
  /** How many of the last digits of the amount are decimals. */
  decimals: z.int(),
  currency: z.string(),
  state: z.enum(INVOICE_STATES),
  /** The provider's page of the invoice. */
  pageUrl: link,
  pdfUrl: link,
});

/** The latest invoices of an account at its providers, as they are there now. */
export const listInvoices = accountProcedure('billing.manage', { inPerson: true })
  .meta({
    about: {
      summary: 'List the latest invoices of an account, newest first',
      refuses: ['provider_not_configured', 'provider_failed', 'rate_limited'],
    },
  })
  .output(
    listView(invoiceView).extend({
      /** Whether the provider has older ones. */
      hasOlder: z.boolean(),
    }),
  )
  .query(async ({ ctx }) => {
    const { services, account } = ctx;
    const customers = await requireAskable(services, account.id);
    if (customers.length > 0) {
      await enforceLimit(services, {
        key: `billing-invoices:account:${account.id}`,
        name: 'billing-invoices',
        most: MAX_PER_HOUR,
        windowMs: HOUR_MS,
      });
    }
    const deadline = providerDeadline();
    const pages = await Promise.all(customers.map((customer) => askInvoices(services, customer, deadline)));
    const invoices = pages
      .flatMap((page) => page.invoices)
      .toSorted((one, other) => other.issuedAtMs - one.issuedAtMs);
    const data = invoices.slice(0, MOST).map(({ customerId: _customerId, issuedAtMs, ...invoice }) => ({
      ...invoice,
      issuedAt: new Date(issuedAtMs).toISOString(),
    }));
    return {
      data,
      page: { limit: MOST, nextCursor: null },
      hasOlder: invoices.length > MOST || pages.some((page) => page.hasOlder),
    };
  });

/**
 * The account's own customers whose provider has an API key.
 * @throws {AppError} `provider_not_configured` if no provider has one, or none of those with a customer
 */
async function requireAskable(services: Services, accountId: number): Promise<OwnCustomer[]> {
  const { apis } = services.billing;
  const own = await listOwnCustomers(services.db, accountId);
  const configured = new Set(BILLING_PROVIDERS.filter((provider) => apis[provider] !== undefined));
  const askable = own.filter(({ provider }) => configured.has(provider));
  if (configured.size === 0 || (own.length > 0 && askable.length === 0))
    throw new AppError('provider_not_configured');
  return askable;
}

/** Asks for the invoices of a customer. Those of another customer in the answer are dropped. */
async function askInvoices(
  services: Services,
  { provider, customerId }: OwnCustomer,
  deadline: ProviderDeadline,
) {
  const loadApi = services.billing.apis[provider];
  if (!loadApi) throw new AppError('provider_not_configured');
  const api = await loadApi();
  const { invoices, hasOlder }: ProviderInvoices = await askProvider(provider, deadline, () =>
    api.listInvoices({ customerId, limit: MOST }),
  );
  const own = invoices.filter((invoice) => invoice.customerId === customerId);
  return { invoices: own.map((invoice) => ({ ...invoice, provider })), hasOlder };
}
