import { randomBytes } from 'node:crypto';
import { createApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import { MONTH_MS, type SimulatedProvider, signDelivery } from '@gatehouse/simulator';
import { type RunningService, type StartOptions, startService } from '@gatehouse/testkit';
import { webhookWorker } from '../billing/webhook-worker.js';

/** Production refuses values that are published in this repository. */
const secretOf = (prefix: string) => `${prefix}${randomBytes(16).toString('hex')}`;

export const STRIPE_SECRET = secretOf('whsec_');
export const SANDBOX_SECRET = secretOf('pdl_ntfset_');
export const PRODUCTION_SECRET = secretOf('pdl_ntfset_');
const ADMIN_SECRET = secretOf('pdl_ntfset_');

/** The four receivers with their secrets. */
export const RECEIVERS = [
  { path: '/stripe_webhooks', provider: 'stripe', secret: STRIPE_SECRET },
  { path: '/paddle_sandbox_webhooks', provider: 'paddle', secret: SANDBOX_SECRET },
  { path: '/paddle_production_webhooks', provider: 'paddle', secret: PRODUCTION_SECRET },
  { path: '/paddle_Admin_webhooks', provider: 'paddle', secret: ADMIN_SECRET },
] as const satisfies { path: string; provider: SimulatedProvider; secret: string }[];

export const BILLING_ENVIRONMENT = {
  STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
  PADDLE_SANDBOX_WEBHOOK_SECRET: SANDBOX_SECRET,
  PADDLE_PRODUCTION_WEBHOOK_SECRET: PRODUCTION_SECRET,
  PADDLE_ADMIN_WEBHOOK_SECRET: ADMIN_SECRET,
};

/** A main service with a secret for each receiver; the test runs its jobs. */
export function startBilling(options: Omit<StartOptions, 'application'>): Promise<RunningService> {
  return startService(createApp, {
    application: 'web',
    ...options,
    env: { ...BILLING_ENVIRONMENT, ...options.env },
  });
}

export interface Delivered {
  readonly path: (typeof RECEIVERS)[number]['path'];
  readonly event: object;
  readonly secret?: string;
  /** The time in the signature; now by default. */
  readonly signedAtMs?: number;
}

/** Delivers an event as its provider would. */
export function deliver(service: Pick<RunningService, 'url'>, delivered: Delivered): Promise<Response> {
  const receiver = RECEIVERS.find(({ path }) => path === delivered.path) ?? RECEIVERS[0];
  const { headers, body } = signDelivery(receiver.provider, {
    body: JSON.stringify(delivered.event),
    secret: delivered.secret ?? receiver.secret,
    nowMs: delivered.signedAtMs ?? Date.now(),
  });
  return fetch(`${service.url}${delivered.path}`, { method: 'POST', headers, body });
}

/** Runs the worker until nothing is due; returns how many events it claimed. */
export async function drain({ services }: Pick<RunningService, 'services'>): Promise<number> {
  let done = 0;
  for (;;) {
    const taken = await webhookWorker.run(services);
    if (taken === 0) return done;
    done += taken;
  }
}

/** Creates an account in its trial. */
export async function insertAccount(database: Database, nowMs: number): Promise<number> {
  const stamps = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const { accounts, subscriptions } = database.tables;
  const accountId = await database.insert(accounts, {
    name: 'Proof',
    nameKey: 'proof',
    ownerId: 3,
    ...stamps,
  });
  const trialEndsAtMs = nowMs + MONTH_MS;
  await database.insert(subscriptions, { accountId, state: 'trialing', trialEndsAtMs, ...stamps });
  return accountId;
}
