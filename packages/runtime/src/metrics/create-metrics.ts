import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { LimitStore } from '../limits/limit-store.js';
import { isCommitUnknown, type Logger, SECURITY_EVENTS, type SecurityEventName } from '../log/log.js';

/**
 * The metrics of one process, for Prometheus. Every label has a fixed set of values, so their number is
 * limited.
 */
export interface Metrics {
  /** A finished request; `route` is a pattern or a procedure name. */
  observeRequest(request: { transport: string; route: string; status: number; seconds: number }): void;
  countLogin(outcome: LoginOutcome): void;
  /** A line of the security log. */
  countSecurityEvent(event: SecurityEventName): void;
  /** One of our own faults that was logged, or a commit whose outcome is unknown. */
  countFailure(event: FailureEvent): void;
  /** A call that a limit refused. */
  countLimited(limit: string): void;
  /** A password that was hashed or compared. */
  observeHash(seconds: number): void;
  /** A change of access that this node has just read, and the delay since it was made. */
  observeRevocationLag(seconds: number): void;
  /** A delivery of a payment provider. */
  countWebhook(endpoint: string, outcome: string): void;
  /** An attempt to apply a stored event. */
  countWebhookEvent(outcome: WebhookEventOutcome): void;
  /** An attempt to deliver a mail. */
  countMail(outcome: MailOutcomeName): void;
  /** An attempt to deliver an event to an endpoint. */
  countEventDelivery(outcome: EventOutcome): void;
  /** A request to the system that knows the passwords of some members. */
  countLegacySignIn(outcome: LegacySignInOutcome): void;
  /** An event that was delivered, and how long after its change. */
  observeEventDelay(seconds: number): void;
  /** A value read at each scrape. */
  gauge(figure: Figure, read: () => number | Promise<number>): void;
  /** A counter that another component maintains. */
  counter(figure: Figure, read: () => number): void;
  /** Several of them, distinguished by one label. */
  counters(figure: Figure & { readonly label: string }, read: () => Readonly<Record<string, number>>): void;
  /** Adds Node's process metrics: memory, descriptors, CPU time, event loop delay. */
  watchProcess(): void;
  /** All metrics, in the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>;
}

export interface Figure {
  readonly name: string;
  readonly help: string;
}

const LOGIN_OUTCOMES = ['ok', 'failed', 'limited'] as const;

type LoginOutcome = (typeof LOGIN_OUTCOMES)[number];

const FAILURE_EVENTS = ['failure', 'commit.unknown'] as const;

type FailureEvent = (typeof FAILURE_EVENTS)[number];

const WEBHOOK_EVENT_OUTCOMES = ['processed', 'ignored', 'postponed', 'failed'] as const;

type WebhookEventOutcome = (typeof WEBHOOK_EVENT_OUTCOMES)[number];

const MAIL_OUTCOMES = ['sent', 'postponed', 'dead'] as const;

type MailOutcomeName = (typeof MAIL_OUTCOMES)[number];

const EVENT_OUTCOMES = ['delivered', 'postponed', 'failed', 'skipped'] as const;

type EventOutcome = (typeof EVENT_OUTCOMES)[number];

const LEGACY_SIGN_IN_OUTCOMES = ['verified', 'wrong', 'otherMember', 'failed', 'busy', 'overtaken'] as const;

export type LegacySignInOutcome = (typeof LEGACY_SIGN_IN_OUTCOMES)[number];

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
  /** Every value exists from the start: Prometheus does not see the growth of a counter that begins at 1. */
  function counterOf<Value extends string>(figure: Figure, label: string, values: readonly Value[]) {
    const counter = new Counter({ ...figure, labelNames: [label], registers });
    const children = new Map(values.map((value) => [value, counter.labels({ [label]: value })]));
    for (const child of children.values()) child.inc(0);
    return (value: Value) => children.get(value)?.inc();
  }
  const countLogin = counterOf(
    { name: 'gatehouse_logins_total', help: 'Logins by outcome' },
    'outcome',
    LOGIN_OUTCOMES,
  );
  const countSecurityEvent = counterOf(
    { name: 'gatehouse_security_events_total', help: 'Lines of the security log, by event' },
    'event',
    SECURITY_EVENTS,
  );
  const countFailure = counterOf(
    { name: 'gatehouse_failures_total', help: 'Lines of the log about a fault of ours, by event' },
    'event',
    FAILURE_EVENTS,
  );
  const countWebhookEvent = counterOf(
    {
      name: 'gatehouse_webhook_events_total',
      help: 'Attempts of this process to apply a stored event, by outcome',
    },
    'outcome',
    WEBHOOK_EVENT_OUTCOMES,
  );
  const countMail = counterOf(
    { name: 'gatehouse_mails_total', help: 'Attempts of this process to deliver a mail, by outcome' },
    'outcome',
    MAIL_OUTCOMES,
  );
  const countEventDelivery = counterOf(
    {
      name: 'gatehouse_event_deliveries_total',
      help: 'Attempts of this process to deliver an event to an endpoint, by outcome',
    },
    'outcome',
    EVENT_OUTCOMES,
  );
  const countLegacySignIn = counterOf(
    {
      name: 'gatehouse_legacy_sign_ins_total',
      help: 'First sign-ins for which this process asked the previous system, by outcome',
    },
    'outcome',
    LEGACY_SIGN_IN_OUTCOMES,
  );
  const eventDelays = new Histogram({
    name: 'gatehouse_event_delay_seconds',
    help: 'Time from a change to the delivery of its event to an endpoint',
    buckets: [0.1, 0.5, 1, 2, 5, 30, 300, 3600, 86_400],
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

  return {
    observeRequest: ({ transport, route, status, seconds }) =>
      requests.observe({ door: transport, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    countLogin,
    countSecurityEvent,
    countFailure,
    countLimited: (limit) => limited.inc({ limit }),
    observeHash: (seconds) => hashes.observe(seconds),
    observeRevocationLag: (seconds) => lags.observe(seconds),
    countWebhook: (endpoint, outcome) => webhooks.inc({ endpoint, outcome }),
    countWebhookEvent,
    countMail,
    countEventDelivery,
    countLegacySignIn,
    observeEventDelay: (seconds) => eventDelays.observe(seconds),
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
    counters({ label, ...figure }, read) {
      const counter = new Counter({
        ...figure,
        labelNames: [label],
        registers,
        collect() {
          counter.reset();
          for (const [value, count] of Object.entries(read())) counter.inc({ [label]: value }, count);
        },
      });
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** A store that counts refusals, by limit name or the first word of the key. */
export function countedLimits(limits: LimitStore, metrics: Metrics): LimitStore {
  return {
    ...limits,
    async consume(limit, tx) {
      const consumed = await limits.consume(limit, tx);
      if (!consumed.isAllowed) metrics.countLimited(limit.name ?? limit.key.split(':', 1)[0] ?? '');
      return consumed;
    },
  };
}

const OUTCOMES: Partial<Record<SecurityEventName, LoginOutcome>> = {
  'login.ok': 'ok',
  'login.failed': 'failed',
  'login.limited': 'limited',
};

/** A log that also counts its security events, logins and faults, so that metrics and log always agree. */
export function countedLog(log: Logger, metrics: Metrics): Logger {
  return {
    ...log,
    security(event) {
      const outcome = OUTCOMES[event.event];
      if (outcome !== undefined) metrics.countLogin(outcome);
      metrics.countSecurityEvent(event.event);
      log.security(event);
    },
    failure(where, error, requestId) {
      metrics.countFailure(isCommitUnknown(error) ? 'commit.unknown' : 'failure');
      log.failure(where, error, requestId);
    },
  };
}

/** Shares one pending call among all callers. */
export function createShared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

const LOOK_EVERY_MS = 5_000;

const RESOLUTION_MS = 20;

/**
 * Logs a line when the event loop is blocked for longer than `warnMs`, which delays every request; at most
 * one line per five seconds. The process metrics have the exact times.
 */
export function watchEventLoop(log: Pick<Logger, 'notice'>, warnMs: number): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const look = setInterval(() => {
    const longestMs = Math.round(delay.max / 1e6) - RESOLUTION_MS;
    delay.reset();
    if (longestMs > warnMs) log.notice('loop.delayed', { durationMs: longestMs });
  }, LOOK_EVERY_MS);
  look.unref();
}
