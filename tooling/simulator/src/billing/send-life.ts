import { setTimeout as pause } from 'node:timers/promises';
import type { LifeStep } from './life.js';
import { type SimulatedProvider, signDelivery } from './sign-delivery.js';

export interface SendOptions {
  readonly provider: SimulatedProvider;
  /** The receiver, as http://127.0.0.1:4000/stripe_webhooks */
  readonly url: string;
  readonly secret: string;
  /** How long to wait between two deliveries. */
  readonly pauseMs: number;
  /** How often each event is delivered. */
  readonly times: number;
}

export interface SentStep {
  readonly step: LifeStep;
  /** The HTTP status of each delivery. */
  readonly statuses: readonly number[];
}

/** Delivers the steps in order, each the given number of times at once, and yields the answers. */
export async function* sendLife(steps: readonly LifeStep[], options: SendOptions): AsyncGenerator<SentStep> {
  for (const step of steps) {
    const body = JSON.stringify(step.event);
    const signed = signDelivery(options.provider, { body, secret: options.secret, nowMs: Date.now() });
    const answers = await Promise.all(
      Array.from({ length: options.times }, () =>
        fetch(options.url, { method: 'POST', headers: signed.headers, body: signed.body }),
      ),
    );
    yield { step, statuses: answers.map(({ status }) => status) };
    if (options.pauseMs > 0) await pause(options.pauseMs);
  }
}
