import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Where `gatehouse events listen` listens. */
export const DEFAULT_EVENTS_PORT = 4030;

const SIGNED = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** As long as a service waits for an answer. */
const MAX_WAIT_MS = 10_000;

/** A receiver accepts a signature for five minutes. */
const KEEP_MS = 290_000;
const MAX_KEPT = 100;
const TRY_AGAIN_MS = 500;

interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly arrivedMs: number;
}

export interface DeliveryForwarder extends Disposable {
  /**
   * Answers a delivery of an event to the demonstration's endpoint: with the answer of the program that listens for events on
   * this machine, or with 502 if that one does not answer. While there is none, the answer is 204, and the program gets the
   * delivery when it starts.
   */
  forward(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Passes deliveries on to a port of this machine. */
export function forwardDeliveries(port: number): DeliveryForwarder {
  const url = `http://127.0.0.1:${port}/`;
  const kept = new Set<Delivery>();
  let handingOver: Promise<void> | undefined;

  async function handOver(): Promise<void> {
    for (const delivery of kept) {
      const isFresh = performance.now() - delivery.arrivedMs < KEEP_MS;
      if (isFresh && (await statusOf(url, delivery)) === undefined) return;
      kept.delete(delivery);
    }
  }
  function handOverOnce(): Promise<void> {
    handingOver ??= handOver().finally(() => {
      handingOver = undefined;
    });
    return handingOver;
  }
  const timer = setInterval(() => void handOverOnce(), TRY_AGAIN_MS).unref();

  return {
    async forward(request, response) {
      const headers = Object.fromEntries(SIGNED.map((name) => [name, String(request.headers[name] ?? '')]));
      const body = new Uint8Array(await buffer(request));
      const delivery = { headers, body, arrivedMs: performance.now() };
      await handOverOnce();
      const status = await statusOf(url, delivery);
      if (status === undefined) {
        kept.add(delivery);
        for (const oldest of kept) if (kept.size > MAX_KEPT) kept.delete(oldest);
      }
      response.writeHead(status ?? 204).end();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** What the program answers; undefined while nothing listens. */
async function statusOf(url: string, { headers, body }: Delivery): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    const isNobody = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return isNobody ? undefined : 502;
  }
}
