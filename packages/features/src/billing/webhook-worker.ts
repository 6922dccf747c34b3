import { randomId } from '@gatehouse/auth-core';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import {
  type ClaimedWebhook,
  claimWebhooks,
  finishWebhook,
  postponeWebhook,
} from '@gatehouse/db/queries/process-webhooks';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { backoffMs } from '@gatehouse/runtime/jobs/job-runner';
import { ZodError } from 'zod';
import type { BillingClaims, BillingEventOrigin } from '../core/billing/billing-event.js';
import { BILLING_PROVIDERS, type BillingProvider } from '../core/billing/billing-event.js';
import type { Services } from '../core/context.js';
import { applyBillingClaims } from './apply-billing-claims.js';
import { askAboutSubscription, originOf, type SubscriptionInQuestion } from './compare-with-provider.js';
import { findConcernedAccount } from './find-concerned-account.js';
import { readPaddleEvent } from './read-paddle-event.js';
import { readStripeEvent } from './read-stripe-event.js';
import type { SubscriptionFacts } from './subscription-facts.js';
import { readWebhookEnvelope, WEBHOOK_ENDPOINTS } from './webhook-envelope.js';

/** The name with which the receivers wake the worker. */
export const WEBHOOK_JOB = 'webhooks';
const AT_ONCE = 20;
/** The events of a worker that dies are due again after this. */
const LEASE_MS = 15_000;
/**
 * How long an event waits while deliveries are being stored. So a flood of deliveries delays effects, not
 * answers.
 */
const MAX_COURTESY_MS = 50;
const MAX_ATTEMPTS = 12;
/**
 * The limit of claims is higher than that of attempts, because the event is not the cause of an outage or a
 * kill.
 */
const MAX_CLAIMS = 50;
const RETRIES = { firstMs: 1_000, longestMs: 3_600_000 };

const READERS: Readonly<Record<BillingProvider, (event: unknown) => BillingClaims | undefined>> = {
  stripe: readStripeEvent,
  paddle: readPaddleEvent,
};

/**
 * Applies due events. An event's effect and its completion are one transaction, which requires that the event
 * still waits. So it is applied once, with any number of workers and crashes.
 */
export const webhookWorker: Job<Services> = {
  name: WEBHOOK_JOB,
  everyMs: 1_000,
  async run(services) {
    const leaseToken = randomId();
    const events = await claimWebhooks(services.db, {
      leaseToken,
      leaseMs: LEASE_MS,
      nowMs: services.now(),
      limit: AT_ONCE,
    });
    for (const event of events) {
      await services.billing.inbox.untilStored(MAX_COURTESY_MS);
      await work(services, event, leaseToken);
    }
    return events.length;
  },
};

async function work(services: Services, event: ClaimedWebhook, leaseToken: string): Promise<void> {
  const { id } = event;
  try {
    await apply(services, event, leaseToken);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    if (error instanceof LeaseLost) return;
    const nowMs = services.now();
    const isHopeless = error instanceof HopelessEvent;
    if (!isHopeless) services.log.failure('webhook worker', error);
    const reason = isHopeless ? error.message : 'fault';
    const accountId = await findConcernedAccount(services.db, event);
    if (isHopeless || event.attempts >= MAX_ATTEMPTS) {
      await finishWebhook(services.db, { id, leaseToken, status: 'failed', reason, accountId, nowMs });
      services.metrics.countWebhookEvent('failed');
    } else {
      await postponeWebhook(services.db, {
        id,
        leaseToken,
        reason,
        accountId,
        dueAtMs: nowMs + backoffMs(RETRIES, event.attempts),
      });
      services.metrics.countWebhookEvent('postponed');
    }
  }
}

async function apply(services: Services, event: ClaimedWebhook, leaseToken: string): Promise<void> {
  const { id } = event;
  if (event.attempts > MAX_CLAIMS) throw new HopelessEvent('given up: no attempt came to an end');
  const reading = read(event, services.config.NODE_ENV === 'production');
  const isLastAttempt = event.attempts >= MAX_ATTEMPTS;
  const finish = (answer: BillingClaims | undefined) => {
    const nowMs = services.now();
    const accounts: number[] = [];
    return changeAccess(services.db, { accounts }, async (tx) => {
      // A transaction that met a conflict runs again.
      accounts.length = 0;
      const outcome =
        'ignoredBecause' in reading
          ? { status: 'ignored' as const, reason: reading.ignoredBecause }
          : {
              status: 'processed' as const,
              ...(await applyClaims(tx, services, { reading, answer, isLastAttempt, accounts, nowMs })),
            };
      if (!(await finishWebhook(tx, { id, leaseToken, ...outcome, nowMs }))) throw new LeaseLost();
      return outcome.status;
    });
  };
  const status = await finish(undefined).catch(async (error: unknown) => {
    if (!(error instanceof OrderUnknown)) throw error;
    // No transaction waits for the provider.
    return finish(await askAboutSubscription(services, error.subscription, error.facts));
  });
  services.metrics.countWebhookEvent(status);
}

/**
 * Applies an event, and writes its accounts to the change log for all nodes.
 * @throws {OrderUnknown} if the provider has to be asked first, and can be
 */
async function applyClaims(
  tx: AccessTransaction,
  { config, billing }: Services,
  {
    reading: { claims, origin },
    answer,
    isLastAttempt,
    accounts,
    nowMs,
  }: {
    reading: { claims: BillingClaims; origin: BillingEventOrigin };
    answer: BillingClaims | undefined;
    isLastAttempt: boolean;
    accounts: number[];
    nowMs: number;
  },
): Promise<{ reason: string | null; accountId: number | null }> {
  const { provider } = origin;
  const given = { plans: config.BILLING_PLANS, nowMs };
  const applied = await applyBillingClaims(tx, claims, origin, given);
  accounts.push(...applied.accountIds);
  if (applied.uncertain === undefined) return { reason: applied.remark, accountId: applied.accountId };
  if (answer !== undefined) {
    const asked = await applyBillingClaims(tx, answer, originOf(provider, nowMs), given);
    accounts.push(...asked.accountIds);
    return { reason: asked.remark, accountId: asked.accountId };
  }
  const canAsk = billing.apis[provider] !== undefined && !isLastAttempt;
  const { customerId, subscription } = claims;
  if (canAsk && subscription)
    throw new OrderUnknown({ provider, customerId, ...subscription }, applied.uncertain);
  const reason = 'another event is of the same moment, and neither says which came last';
  return { reason: applied.remark ?? reason, accountId: applied.accountId };
}

type Reading =
  | { readonly ignoredBecause: string }
  | { readonly origin: BillingEventOrigin; readonly claims: BillingClaims };

/** @throws {HopelessEvent} */
function read(event: ClaimedWebhook, isProduction: boolean): Reading {
  const provider = BILLING_PROVIDERS.find((each) => each === event.provider);
  const envelope = provider && readWebhookEnvelope(provider, event.body);
  if (provider === undefined || envelope === undefined)
    throw new HopelessEvent('not an event of this provider');
  if (isProduction && (envelope.isTest || isSandboxEndpoint(event.endpoint)))
    return { ignoredBecause: 'sandbox: no real payment is behind it' };
  try {
    const claims = READERS[provider](JSON.parse(event.body));
    if (claims === undefined) return { ignoredBecause: 'it says nothing about a subscription' };
    return { origin: { provider, ...envelope }, claims };
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const places = error.issues.map(({ path }) => path.join('.') || 'the event');
    throw new HopelessEvent(`not of the documented shape: ${places.join(', ')}`);
  }
}

/** Only the provider can say which of several events of one moment came last. */
class OrderUnknown extends Error {
  override readonly name = 'OrderUnknown';
  readonly subscription: SubscriptionInQuestion;
  /** The merged state, with all events of the moment. */
  readonly facts: SubscriptionFacts;

  constructor(subscription: SubscriptionInQuestion, facts: SubscriptionFacts) {
    super('nothing says which event came last');
    this.subscription = subscription;
    this.facts = facts;
  }
}

/** Another worker finished the event meanwhile, so this transaction must not commit. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * An error that a retry would not fix. The message has the position of the wrong field, never its content.
 */
class HopelessEvent extends Error {
  override readonly name = 'HopelessEvent';
}

function isSandboxEndpoint(endpoint: string): boolean {
  return Object.entries(WEBHOOK_ENDPOINTS).some(([name, { isSandbox }]) => isSandbox && name === endpoint);
}
