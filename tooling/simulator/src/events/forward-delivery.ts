import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Where `gatehouse events listen` listens. */
export const DEFAULT_EVENTS_PORT = 4030;

const SIGNED = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** As long as a service waits for an answer. */
const MAX_WAIT_MS = 10_000;

/**
 * Answers a delivery of an event to the demonstration's endpoint: as the program does that listens for events on this machine, with 204
 * while there is none, and with 502 if that one does not answer.
 */
export async function forwardDelivery(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
): Promise<void> {
  const headers = Object.fromEntries(SIGNED.map((name) => [name, String(request.headers[name] ?? '')]));
  const body = new Uint8Array(await buffer(request));
  const status = await statusOf(`http://127.0.0.1:${port}/`, { headers, body });
  response.writeHead(status).end();
}

async function statusOf(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> },
): Promise<number> {
  try {
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    const isNobody = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return isNobody ? 204 : 502;
  }
}
