import { countRejectedWebhooks } from '@gatehouse/db';
import type { Services } from '../core/context.js';

/** Unauthenticated deliveries must not fill the log or the disk: above these limits they are only counted. */
const MOST_OF_ADDRESS = 500;
const MOST_IN_ALL = 5_000;
const WINDOW_MS = 3_600_000;

/** How long a node remembers a reached limit, and for how many addresses. */
const PAUSE_MS = 60_000;
const MOST_ADDRESSES = 10_000;
const EVERYBODY = '*';

export interface RejectionCaps {
  /** Whether no more rejected deliveries are stored from an address for now. */
  isCapped(address: string): Promise<boolean>;
}

export function createRejectionCaps({ db, now }: Pick<Services, 'db' | 'now'>): RejectionCaps {
  /** The time until which this node stores nothing from an address, by address. */
  const paused = new Map<string, number>();
  return {
    async isCapped(address) {
      const nowMs = now();
      if ([address, EVERYBODY].some((key) => (paused.get(key) ?? 0) > nowMs)) return true;
      const [ofAddress, inAll] = await Promise.all([
        countRejectedWebhooks(db, { address, sinceMs: nowMs - WINDOW_MS, most: MOST_OF_ADDRESS }),
        countRejectedWebhooks(db, { most: MOST_IN_ALL }),
      ]);
      const capped = inAll >= MOST_IN_ALL ? EVERYBODY : ofAddress >= MOST_OF_ADDRESS ? address : undefined;
      if (capped === undefined) return false;
      paused.delete(capped);
      paused.set(capped, nowMs + PAUSE_MS);
      const [oldest] = paused.keys();
      if (paused.size > MOST_ADDRESSES && oldest !== undefined) paused.delete(oldest);
      return true;
    },
  };
}
