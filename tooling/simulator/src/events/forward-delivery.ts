import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Where `gatehouse events listen` listens. */
export const DEFAULT_EVENTS_PORT = 4030;

const SIGNED = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Answers a delivery of an event to the demonstration's endpoint: as the program does that listens for events on this machine, and with
 * 204 while there is none.
 */
export async function forwardDelivery(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
): Promise<void> {
  const headers = Object.fromEntries(SIGNED.map((name) => [name, String(request.headers[name] ?? '')]));
  const body = await buffer(request);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  response.writeHead(answer?.status ?? 204).end();
}
