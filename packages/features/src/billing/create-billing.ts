import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { insertWebhook } from '@gatehouse/db/queries/process-webhooks';
import type { Billing, WebhookInbox } from '../core/billing/billing.js';
import type { Services } from '../core/context.js';
import { createPaymentApis } from './payment-apis.js';
import { createRejectionCaps } from './rejected-deliveries.js';
import { createSubscriptionSources } from './subscription-sources.js';

/** The most deliveries one transaction stores. */
const AT_ONCE = 100;

interface Waiting {
  readonly row: Parameters<WebhookInbox['store']>[0];
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Stores deliveries that arrive together in one transaction. */
function createWebhookInbox(db: Database): WebhookInbox {
  let waiting: Waiting[] = [];
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      await storeTogether(db, batch);
    }
    storing = undefined;
  }

  return {
    store: (row) =>
      new Promise((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        storing ??= storeAll();
      }),
    async untilStored(mostMs) {
      if (storing) await Promise.race([storing, pause(mostMs)]);
    },
  };
}

/** Sorted, so that two nodes storing the same events cannot deadlock. */
async function storeTogether(db: Database, batch: readonly Waiting[]): Promise<void> {
  const ordered = batch.toSorted((left, right) => (left.row.dedupeKey < right.row.dedupeKey ? -1 : 1));
  try {
    const outcomes = await db.transaction(async (tx) => {
      const areNew: boolean[] = [];
      for (const { row } of ordered) areNew.push(await insertWebhook(tx, row));
      return areNew;
    });
    for (const [position, { resolve }] of ordered.entries()) resolve(outcomes[position] ?? false);
  } catch (error) {
    for (const { reject } of ordered) reject(error);
  }
}

export function createBilling({ config, db, now }: Pick<Services, 'config' | 'db' | 'now'>): Billing {
  return {
    apis: createPaymentApis(config),
    sources: createSubscriptionSources({ config, db }),
    inbox: createWebhookInbox(db),
    rejections: createRejectionCaps({ db, now }),
  };
}
