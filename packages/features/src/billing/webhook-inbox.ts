import { setTimeout as pause } from 'node:timers/promises';
import { insertWebhook, type NewWebhook } from '@gatehouse/db';
import type { Services } from '../app/services.js';

/** The most deliveries one transaction stores. */
const AT_ONCE = 100;

interface Waiting {
  readonly row: NewWebhook & { readonly dedupeKey: string };
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

interface Inbox {
  waiting: Waiting[];
  storing: Promise<void> | undefined;
}

const inboxes = new WeakMap<Services, Inbox>();

/**
 * Stores an event and resolves once it is on the disk; false if it was stored before. Events that arrive
 * during a commit share the next one, so a burst waits for a few commits only.
 */
export function storeWebhook(services: Services, row: Waiting['row']): Promise<boolean> {
  const inbox = inboxes.get(services) ?? { waiting: [], storing: undefined };
  inboxes.set(services, inbox);
  return new Promise((resolve, reject) => {
    inbox.waiting.push({ row, resolve, reject });
    inbox.storing ??= storeAll(services, inbox);
  });
}

/**
 * Resolves when this node has no deliveries left to store, or after `mostMs`: storing has priority over
 * applying.
 */
export async function untilStored(services: Services, mostMs: number): Promise<void> {
  const storing = inboxes.get(services)?.storing;
  if (storing) await Promise.race([storing, pause(mostMs)]);
}

async function storeAll(services: Services, inbox: Inbox): Promise<void> {
  while (inbox.waiting.length > 0) {
    const batch = inbox.waiting.slice(0, AT_ONCE);
    inbox.waiting = inbox.waiting.slice(AT_ONCE);
    await storeTogether(services, batch);
  }
  inbox.storing = undefined;
}

/** Sorted, so that two nodes storing the same events cannot deadlock. */
async function storeTogether(services: Services, batch: readonly Waiting[]): Promise<void> {
  const ordered = batch.toSorted((left, right) => (left.row.dedupeKey < right.row.dedupeKey ? -1 : 1));
  try {
    const outcomes = await services.db.transaction(async (tx) => {
      const areNew: boolean[] = [];
      for (const { row } of ordered) areNew.push(await insertWebhook(tx, row));
      return areNew;
    });
    for (const [position, { resolve }] of ordered.entries()) resolve(outcomes[position] ?? false);
  } catch (error) {
    for (const { reject } of ordered) reject(error);
  }
}
