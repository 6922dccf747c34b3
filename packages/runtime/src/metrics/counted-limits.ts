import type { LimitStore } from '../limits/limit-store.js';
import type { Metrics } from './create-metrics.js';

/** A store that counts refusals, by limit name or the first word of the key. */
export function countedLimits(limits: LimitStore, metrics: Metrics): LimitStore {
  return {
    ...limits,
    async consume(limit, tx) {
      const taken = await limits.consume(limit, tx);
      if (!taken.isAllowed) metrics.countLimited(limit.name ?? limit.key.split(':', 1)[0] ?? '');
      return taken;
    },
  };
}
