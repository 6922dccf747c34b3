import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { signatureHeaders } from '@gatehouse/runtime/network/signature-headers';
import { z } from 'zod';
import type { CommandContext } from '../command.js';
import { eventLine } from './event-line.js';

/** As long as receivers usually accept a delivery (Standard Webhooks). */
const TOLERANCE_SECONDS = 300;

const told = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: z.iso.datetime(),
  subject: z.string(),
  subjectVersion: z.int(),
  actor: z.object({ kind: z.string(), id: z.int().exactOptional() }),
  data: z.record(z.string(), z.unknown()),
});

export interface Listening {
  readonly port: number;
  readonly secret: string;
  /** The status of every answer, in place of 204. */
  readonly failWith?: number | undefined;
  readonly say: CommandContext['say'];
}

/**
 * Receives deliveries of events on this machine: verifies each as Standard Webhooks says, and prints it.
 * @throws {Error} if something else listens on the port
 */
export async function startListening({ port, secret, failWith, say }: Listening): Promise<AsyncDisposable> {
  const seen = new Set<string>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const fault = faultOf(request, body, secret);
    const event = fault === undefined ? eventIn(body) : undefined;
    const problem = fault ?? (event === undefined ? 'it is signed, but is no event' : undefined);
    const status = problem === undefined ? (failWith ?? 204) : 400;
    response.writeHead(status).end();
    if (event === undefined || problem !== undefined) return say(`refused: ${problem}`);
    const again = seen.has(event.id) ? '  again' : '';
    const answered = failWith === undefined ? '' : `  answered ${failWith}`;
    seen.add(event.id);
    say(`${eventLine(event)}${again}${answered}`);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Why a delivery must not be trusted. */
function faultOf({ headers }: IncomingMessage, body: string, secret: string): string | undefined {
  const id = headers['webhook-id'];
  const timestamp = Number(headers['webhook-timestamp']);
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof signatures !== 'string' || !Number.isSafeInteger(timestamp))
    return 'it has not the three headers of a delivery';
  if (Math.abs(Date.now() / 1000 - timestamp) > TOLERANCE_SECONDS)
    return `it was sent at another time: ${new Date(timestamp * 1000).toISOString()}`;
  const { 'webhook-signature': expected = '' } = signatureHeaders([secret], {
    id,
    body,
    nowMs: timestamp * 1000,
  });
  return signatures.split(' ').includes(expected)
    ? undefined
    : 'it is signed with another secret, or was changed';
}

function eventIn(body: string): z.output<typeof told> | undefined {
  try {
    return told.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
