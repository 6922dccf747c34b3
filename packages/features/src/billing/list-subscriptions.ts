import { AppError } from '@gatehouse/auth-core';
import { type AccountCustomer, listAccountCustomers } from '@gatehouse/db/queries/billing-customer';
import { listBillingSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import { findSubscription, type SubscriptionRow } from '@gatehouse/db/queries/subscriptions';
import { listInput, listView, openCursor, sealCursor } from '@gatehouse/http/page';
import { z } from 'zod';
import { BILLING_PROVIDERS, type BillingProvider } from '../core/billing/billing-event.js';
import type { SourcedSubscription } from '../core/billing/subscription-source.js';
import { type BillingPlan, findPlan, planAndAddOns } from '../core/billing-plans.js';
import type { Services } from '../core/context.js';
import { currentSubscription, currentSubscriptionView } from '../core/current-subscription.js';
import { reauthorize } from '../core/guard/guarded.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { trialStatus } from './account-subscription.js';
import { planView } from './plans.js';

const state = z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']);

const maybeInstant = z.iso.datetime().nullable();

/** The single subscription of an account, at the moment it is read. */
const subscriptionView = z.object({
  state,
  /** Null while the account only has its registration trial. */
  provider: z.string().nullable(),
  plan: z.string().nullable(),
  trialEndsAt: maybeInstant,
  periodEndsAt: maybeInstant,
  cancelAt: maybeInstant,
});

/** One subscription of a customer at a provider, or the trial (`trial`, without a provider). */
const listedSubscriptionView = z.object({
  id: z.string(),
  provider: z.enum(BILLING_PROVIDERS).nullable(),
  customer: z
    .object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() })
    .nullable(),
  state,
  plan: z.string().nullable(),
  startedAt: maybeInstant,
  periodEndsAt: maybeInstant,
  cancelAt: maybeInstant,
});

type SubscriptionView = z.output<typeof subscriptionView>;

type ListedSubscriptionView = z.output<typeof listedSubscriptionView>;

function toSubscriptionView(row: SubscriptionRow, nowMs: number): SubscriptionView {
  const isTrial = row.provider === null && row.state === 'trialing';
  return {
    state: isTrial ? trialStatus({ ...row, nowMs }) : row.state,
    provider: row.provider,
    plan: row.plan,
    trialEndsAt: isoOrNull(row.trialEndsAtMs),
    periodEndsAt: isoOrNull(row.periodEndsAtMs),
    cancelAt: isoOrNull(row.cancelAtMs),
  };
}

/** A registration trial, as a line of the list. */
function toListedTrial(subscription: SubscriptionView): ListedSubscriptionView {
  return {
    id: 'trial',
    provider: null,
    customer: null,
    state: subscription.state,
    plan: null,
    startedAt: null,
    periodEndsAt: subscription.trialEndsAt,
    cancelAt: null,
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The cursor: the customer's row, and the customer's last subscription on the page. */
const cursorShape = z.tuple([z.number().int(), z.string()]);

/**
 * How many requests to a source one page may make. If they do not fill the page, it is short and has a
 * cursor.
 */
const CALLS_PER_PAGE = 10;

/**
 * The account's subscriptions at the providers. They come from the provider's API if there is a key, else
 * from webhooks; `subscription` is the account's state.
 */
export const listSubscriptions = accountProcedure('subscription.read')
  .input(listInput({ provider: z.enum(BILLING_PROVIDERS).optional() }))
  .output(listView(listedSubscriptionView).extend({ subscription: subscriptionView.nullable() }))
  .query(async ({ ctx, input }) => {
    const { services, account } = ctx;
    const { limit, provider } = input;
    const start = openCursor(input.cursor, cursorShape);
    const [fromId, after] = start ?? [0, ''];
    const [row, customers] = await Promise.all([
      findSubscription(services.db, account.id),
      listAccountCustomers(services.db, account.id, { fromId, limit: CALLS_PER_PAGE + 1, provider }),
    ]);
    const subscription = row === undefined ? null : toSubscriptionView(row, services.now());
    const trial = start === undefined && provider === undefined && subscription?.provider === null;
    const walk = await walkCustomers(services, account.id, customers, {
      after: customers[0]?.id === fromId && after !== '' ? after : undefined,
      room: limit - (trial ? 1 : 0),
      requireAccess: () => reauthorize(ctx),
    });
    return {
      data: trial ? [toListedTrial(subscription), ...walk.data] : walk.data,
      page: { limit, nextCursor: walk.next && sealCursor(walk.next) },
      subscription,
    };
  });

/** Collects subscriptions customer by customer until the page is full. */
async function walkCustomers(
  services: Services,
  accountId: number,
  customers: readonly AccountCustomer[],
  {
    after: startAfter,
    room,
    requireAccess,
  }: { after: string | undefined; room: number; requireAccess: () => Promise<unknown> },
): Promise<{ data: ListedSubscriptionView[]; next: [number, string] | null }> {
  const { sources } = services.billing;
  const data: ListedSubscriptionView[] = [];
  let after = startAfter;
  let calls = 0;
  for (const customer of customers) {
    const provider = providerOf(customer);
    do {
      if (data.length >= room || calls === CALLS_PER_PAGE) return { data, next: [customer.id, after ?? ''] };
      const answer = await sources[provider]({
        accountId,
        provider,
        customer,
        after,
        limit: room - data.length,
      });
      // The provider may have been slow.
      await requireAccess();
      const own = await ofAccount(services, accountId, customer, answer.rows);
      data.push(...own.map((row) => toListedView(provider, customer, row, services.config.BILLING_PLANS)));
      after = answer.after;
      calls += 1;
    } while (after !== undefined);
  }
  return { data, next: null };
}

/** Leaves out subscriptions that a customer pays for another account. */
async function ofAccount(
  services: Services,
  accountId: number,
  customer: AccountCustomer,
  rows: readonly SourcedSubscription[],
): Promise<SourcedSubscription[]> {
  const subscriptionIds = rows.map((row) => row.subscriptionId);
  const stored = await listBillingSubscriptions(services.db, {
    provider: customer.provider,
    subscriptionIds,
  });
  const owners = new Map(stored.map((row) => [row.subscriptionId, row.accountId]));
  return rows.filter(
    (row) => (owners.get(row.subscriptionId) ?? row.accountId ?? customer.accountId) === accountId,
  );
}

function toListedView(
  provider: BillingProvider,
  customer: AccountCustomer,
  { subscriptionId, status, snapshot }: SourcedSubscription,
  plans: readonly BillingPlan[],
): ListedSubscriptionView {
  return {
    id: subscriptionId,
    provider,
    customer: { id: customer.customerId, email: customer.email, name: customer.name },
    state: status,
    plan: planAndAddOns(provider, snapshot?.prices ?? [], plans).plan,
    startedAt: isoOrNull(snapshot?.startedAtMs ?? null),
    periodEndsAt: isoOrNull(snapshot?.periodEndsAtMs ?? null),
    cancelAt: isoOrNull(snapshot?.cancelAtMs ?? null),
  };
}

/** Only webhooks store a provider's customers. */
function providerOf({ provider }: AccountCustomer): BillingProvider {
  const found = BILLING_PROVIDERS.find((each) => each === provider);
  if (found === undefined) throw new Error('A customer of no provider is stored');
  return found;
}

/** The subscription state of the selected account and the plan it has, for all its members. */
export const currentOfAccount = accountProcedure('account.read')
  .meta({ about: { summary: 'Show whether what the account pays for is active' } })
  .output(
    z.object({
      data: currentSubscriptionView.extend({
        provider: z.enum(BILLING_PROVIDERS).nullable(),
        /** Null for the trial, and for a price that BILLING_PLANS does not have. */
        plan: planView.pick({ key: true, name: true, price: true }).nullable(),
      }),
    }),
  )
  .query(async ({ ctx }) => {
    const { services } = ctx;
    const [account, row] = await Promise.all([
      services.access.account(ctx.account.id),
      findSubscription(services.db, ctx.account.id),
    ]);
    if (!account) throw new AppError('account_forbidden');
    const { provider = null, plan = null } = row ?? {};
    return {
      data: {
        ...currentSubscription(services, account),
        provider: BILLING_PROVIDERS.find((each) => each === provider) ?? null,
        plan: findPlan(services.config.BILLING_PLANS, provider, plan) ?? null,
      },
    };
  });
