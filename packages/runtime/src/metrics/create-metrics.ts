import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of one process, for Prometheus. Every label has a fixed set of values, so their number is
 * limited.
 */
export interface Metrics {
  /** A finished request; `route` is a pattern or a procedure name. */
  observeRequest(request: { transport: string; route: string; status: number; seconds: number }): void;
  countLogin(outcome: LoginOutcome): void;
  /** A call that a limit refused. */
  countLimited(limit: string): void;
  /** A password that was hashed or compared. */
  observeHash(seconds: number): void;
  /** A change of access that this node has just read, and the delay since it was made. */
  observeRevocationLag(seconds: number): void;
  /** A delivery of a payment provider. */
  countWebhook(endpoint: string, outcome: string): void;
  /** A value read at each scrape. */
  gauge(figure: Figure, read: () => number | Promise<number>): void;
  /** A counter that another component maintains. */
  counter(figure: Figure, read: () => number): void;
  /** Adds Node's process metrics: memory, descriptors, CPU time, event loop delay. */
  watchProcess(): void;
  /** All metrics, in the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>;
}

export interface Figure {
  readonly name: string;
  readonly help: string;
}

export type LoginOutcome = 'ok' | 'failed' | 'limited';

/** Starts counting at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'gatehouse_request_duration_seconds',
    help: 'Duration of requests, by door, route and class of status',
    labelNames: ['door', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const logins = new Counter({
    name: 'gatehouse_logins_total',
    help: 'Logins by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const limited = new Counter({
    name: 'gatehouse_limited_total',
    help: 'Calls that a limit refused, by limit',
    labelNames: ['limit'],
    registers,
  });
  const hashes = new Histogram({
    name: 'gatehouse_password_hash_seconds',
    help: 'Time of one hash or comparison of a password, without the wait for its turn',
    buckets: [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6],
    registers,
  });
  const lags = new Histogram({
    name: 'gatehouse_revocation_lag_seconds',
    help: 'Time from a change of access to this node seeing it, which an idle node does at its next request',
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  });
  const webhooks = new Counter({
    name: 'gatehouse_webhook_deliveries_total',
    help: 'Deliveries of payment providers to this process, by receiver and outcome',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  for (const outcome of ['ok', 'failed', 'limited']) logins.inc({ outcome }, 0);

  return {
    observeRequest: ({ transport, route, status, seconds }) =>
      requests.observe({ door: transport, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    countLogin: (outcome) => logins.inc({ outcome }),
    countLimited: (limit) => limited.inc({ limit }),
    observeHash: (seconds) => hashes.observe(seconds),
    observeRevocationLag: (seconds) => lags.observe(seconds),
    countWebhook: (endpoint, outcome) => webhooks.inc({ endpoint, outcome }),
    gauge(figure, read) {
      const gauge = new Gauge({
        ...figure,
        registers,
        async collect() {
          gauge.set(await read());
        },
      });
    },
    counter(figure, read) {
      const counter = new Counter({
        ...figure,
        registers,
        collect() {
          counter.reset();
          counter.inc(read());
        },
      });
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
