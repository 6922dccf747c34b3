import { countWebhookBacklog, type Database } from '@gatehouse/db';
import { Counter, Gauge, Registry } from 'prom-client';

/** The figures of one process, for Prometheus. */
export interface Metrics {
  /** Counts a delivery of a payment provider; `outcome` is a word of our own. */
  countWebhook(endpoint: string, outcome: string): void;
  /** Every figure, in the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>;
}

/** Starts counting at zero; what stands in the database is read whenever the figures are asked for. */
export function createMetrics(db: Database, now: () => number): Metrics {
  const registry = new Registry();
  const webhooks = new Counter({
    name: 'gatehouse_webhook_deliveries_total',
    help: 'Deliveries of payment providers to this process, by receiver and outcome',
    labelNames: ['endpoint', 'outcome'],
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'gatehouse_webhook_backlog_oldest_seconds',
    help: 'How long ago the oldest stored event without its effect came',
    registers: [registry],
  });
  const backlog = new Gauge({
    name: 'gatehouse_webhook_backlog',
    help: 'Stored events whose effect is still to come, on all nodes together',
    registers: [registry],
  });
  return {
    countWebhook: (endpoint, outcome) => webhooks.inc({ endpoint, outcome }),
    async render() {
      const { waiting, oldestReceivedAtMs } = await countWebhookBacklog(db).catch(() => UNKNOWN_BACKLOG);
      backlog.set(waiting);
      oldest.set(oldestReceivedAtMs === null ? 0 : (now() - oldestReceivedAtMs) / 1000);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** While the database is away the other figures are still told. */
const UNKNOWN_BACKLOG = { waiting: Number.NaN, oldestReceivedAtMs: Number.NaN };
