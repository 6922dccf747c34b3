import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { insertWebhook, type NewWebhook } from '@gatehouse/db/queries/process-webhooks';

/** The most deliveries one transaction stores. */
const AT_ONCE = 100;

interface Waiting {
  readonly row: NewWebhook & { readonly dedupeKey: string };
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export interface WebhookInbox {
  /**
   * Stores an event and resolves once it is on the disk; false when it already was. Events that arrive during a
   * commit share the next one, so a burst waits for a few commits only.
   */
  store(row: Waiting['row']): Promise<boolean>;
  /** Resolves when this node has no delivery left to store, or after `mostMs`: storing takes priority over effects. */
  untilStored(mostMs: number): Promise<void>;
}

export function createWebhookInbox(db: Database): WebhookInbox {
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
