import type { Database } from '@gatehouse/db/database';
import { openBillingCustomer, setBillingCustomer } from '@gatehouse/db/queries/billing-customer';
import {
  type BillingSubscriptionRow,
  listAccountSubscriptions,
  listCustomerSubscriptions,
  openBillingSubscription,
  setBillingSubscription,
} from '@gatehouse/db/queries/billing-subscriptions';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { lockAccountRows } from '@gatehouse/db/queries/lock-rows';
import {
  findImportedSubscription,
  openSubscription,
  type SubscriptionRow,
  setSubscription,
} from '@gatehouse/db/queries/subscriptions';
import type { AccountClaim, BillingClaims, BillingEventOrigin } from '../core/billing/billing-event.js';
import { BILLING_PROVIDERS } from '../core/billing/billing-event.js';
import { type BillingPlan, planAndAddOns } from '../core/billing-plans.js';
import { recordSubscription } from '../event/record-events.js';
import { accountSubscription, pastDueSinceMs, toProviderSubscription } from './account-subscription.js';
import {
  applyCustomerClaims,
  applySubscriptionClaims,
  customerColumns,
  isByReference,
  type SubscriptionFacts,
  storedCustomerFacts,
  storedSubscriptionFacts,
} from './subscription-facts.js';

export interface AppliedClaims {
  /** A note for staff, or null. */
  readonly remark: string | null;
  /** The account the event is about; null if none is known. */
  readonly accountId: number | null;
  /** The accounts whose subscription was recomputed. */
  readonly accountIds: readonly number[];
  /** What is known of the subscription, if only its provider can say which of several events of one moment came last. */
  readonly uncertain: SubscriptionFacts | undefined;
}

/**
 * Adds an event's claims to its customer and subscription, and recomputes the subscription of every account
 * involved, in the caller's transaction. Applying an event again, or late, changes nothing.
 */
export async function applyBillingClaims(
  tx: AccessTransaction,
  given: BillingClaims,
  origin: BillingEventOrigin,
  { plans, nowMs }: { plans: readonly BillingPlan[]; nowMs: number },
): Promise<AppliedClaims> {
  const { provider } = origin;
  const { claims, unknownAccountId } = await withoutUnknownAccounts(tx, given);
  const brought = await findImportedSubscription(tx, { provider, customerId: claims.customerId });
  const fromImport = brought === undefined ? NOTHING : await learnImported(tx, brought, nowMs);
  const learnt = await learn(tx, claims, origin, nowMs);
  const touched = new Set([...fromImport.touched, ...learnt.touched]);
  const accountIds = [...touched].sort((left, right) => left - right);
  for (const accountId of accountIds) await deriveSubscription(tx, accountId, origin, { plans, nowMs });
  const { owner: accountId, uncertain } = learnt;
  return { remark: remarkOn(learnt, unknownAccountId), accountId, accountIds, uncertain };
}

function remarkOn({ owner }: Learnt, unknownAccountId: number | undefined): string | null {
  if (unknownAccountId !== undefined) return `it names account ${unknownAccountId}, which does not exist`;
  return owner === null ? 'no account is named for it yet' : null;
}

interface Learnt {
  /** The account the event's customer belongs to. */
  readonly owner: number | null;
  /** The accounts that gained, kept or lost a subscription. */
  readonly touched: readonly number[];
  readonly uncertain: SubscriptionFacts | undefined;
}

const NOTHING: Learnt = { owner: null, touched: [], uncertain: undefined };

/** Merges claims into the stored facts of their customer and subscription. */
async function learn(
  tx: Database,
  claims: BillingClaims,
  origin: BillingEventOrigin,
  nowMs: number,
): Promise<Learnt> {
  const { provider } = origin;
  const { customerId } = claims;
  const customer = await openBillingCustomer(tx, { provider, customerId, nowMs });
  const facts = applyCustomerClaims(storedCustomerFacts.parse(customer.detail ?? {}), claims, origin);
  const accountId = facts.account?.value ?? null;
  await setBillingCustomer(tx, { id: customer.id, ...customerColumns(facts) });

  const touched: (number | null)[] = [];
  const place = async (row: BillingSubscriptionRow, reported: SubscriptionFacts) => {
    // Whom the customer pays for is known; the payer cannot name another account.
    const facts =
      accountId !== null && isByReference(reported) ? { ...reported, account: undefined } : reported;
    const owner = facts.account?.value ?? accountId;
    await setBillingSubscription(tx, { id: row.id, accountId: owner, facts });
    touched.push(row.accountId, owner);
    return owner;
  };
  if (accountId !== customer.accountId) {
    for (const row of await listCustomerSubscriptions(tx, { provider, customerId })) {
      await place(row, storedSubscriptionFacts.parse(row.facts));
    }
  }
  let owner = accountId;
  let uncertain: SubscriptionFacts | undefined;
  if (claims.subscription !== undefined) {
    const { subscriptionId } = claims.subscription;
    const row = await openBillingSubscription(tx, { provider, subscriptionId, customerId, nowMs });
    const reported = applySubscriptionClaims(
      storedSubscriptionFacts.parse(row.facts),
      claims.subscription,
      origin,
    );
    owner = await place(row, reported);
    uncertain = reported.isUncertain ? reported : undefined;
  }
  return { owner, touched: touched.filter((id) => id !== null), uncertain };
}

/**
 * The account of a subscription imported from the replaced system, and its state there. This claim is older than all others,
 * and weaker than those of the integrator's server.
 */
export function learnImported(tx: Database, row: SubscriptionRow, nowMs: number): Promise<Learnt> {
  const provider = BILLING_PROVIDERS.find((each) => each === row.provider);
  if (provider === undefined || row.providerCustomerId === null || row.providerSubscriptionId === null) {
    return Promise.resolve(NOTHING);
  }
  const { accountId, state, plan, periodEndsAtMs, cancelAtMs } = row;
  const claims: BillingClaims = {
    customerId: row.providerCustomerId,
    subscription: {
      subscriptionId: row.providerSubscriptionId,
      account: { accountId, authority: 'imported' },
      snapshot:
        state === 'expired'
          ? undefined
          : {
              status: state,
              prices: plan === null ? [] : [plan],
              startedAtMs: null,
              periodEndsAtMs,
              cancelAtMs,
              collectionPaused: false,
            },
    },
    account: { accountId, authority: 'imported' },
  };
  return learn(tx, claims, { provider, eventId: 'imported', occurredAtUs: 0 }, nowMs);
}

/** An account that does not exist yet must not be created later with somebody's subscription attached. */
async function withoutUnknownAccounts(
  tx: Database,
  claims: BillingClaims,
): Promise<{ claims: BillingClaims; unknownAccountId: number | undefined }> {
  let unknownAccountId: number | undefined;
  const known = async (claim: AccountClaim | undefined) => {
    if (claim === undefined || (await findAccountState(tx, claim.accountId)) !== undefined) return claim;
    unknownAccountId = claim.accountId;
    return undefined;
  };
  const account = await known(claims.account);
  const subscription = claims.subscription && {
    ...claims.subscription,
    account: await known(claims.subscription.account),
  };
  return { claims: { ...claims, account, subscription }, unknownAccountId };
}

/** Derives an account's subscription from all known facts, and stores it. */
export async function deriveSubscription(
  tx: AccessTransaction,
  accountId: number,
  origin: Pick<BillingEventOrigin, 'eventId' | 'occurredAtUs'>,
  { plans, nowMs }: { plans: readonly BillingPlan[]; nowMs: number },
): Promise<void> {
  await lockAccountRows(tx, [accountId], 'exclusive');
  const row = await openSubscription(tx, { accountId, nowMs });
  if (row.lastEventId === null) await learnImported(tx, row, nowMs);
  const known = await listAccountSubscriptions(tx, accountId);
  const { status, source } = accountSubscription(known.map(toProviderSubscription), { ...row, nowMs });
  const snapshot = source?.facts.snapshot?.value;
  const { plan, addOns } = planAndAddOns(source?.provider, snapshot?.prices ?? [], plans);
  await setSubscription(tx, {
    accountId,
    state: status,
    provider: source?.provider ?? null,
    providerCustomerId: source?.customerId ?? null,
    providerSubscriptionId: source?.subscriptionId ?? null,
    plan,
    addOns,
    isCollectionPaused: snapshot?.collectionPaused ?? false,
    periodEndsAtMs: snapshot?.periodEndsAtMs ?? null,
    cancelAtMs: snapshot?.cancelAtMs ?? null,
    pastDueAtMs: source === undefined ? null : pastDueSinceMs(source.facts),
    lastEventId: origin.eventId,
    lastEventAtMs: Math.floor(origin.occurredAtUs / 1000),
    updatedAtMs: nowMs,
  });
  await recordSubscription(tx, { accountId, from: row.state, to: status, nowMs });
}
