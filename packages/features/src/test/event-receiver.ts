import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

const sent = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  subjectVersion: z.int(),
  accountId: z.int().nullable(),
  actor: z.object({ kind: z.string(), id: z.int().optional() }),
  data: z.record(z.string(), z.unknown()),
});

/** A delivery as it came, with the program's own view of its signature. */
export interface Received {
  readonly event: z.output<typeof sent>;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Throws unless the body was signed with this secret within five minutes. */
  verify(secret: string): unknown;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An endpoint of another system on this machine. */
export interface EventReceiver extends AsyncDisposable {
  readonly url: string;
  /** Pings separately, in the order of arrival. */
  readonly received: Received[];
  readonly pings: Received[];
}

/**
 * Starts an endpoint that verifies with the library of Standard Webhooks.
 * @param answerTo what it answers; 204 by default. Pings are answered with 204, after `beforePong`.
 */
export async function startEventReceiver(
  answerTo: (delivery: Received) => Answer | Promise<Answer> = () => ({ status: 204 }),
  beforePong: () => Promise<unknown> = () => Promise.resolve(),
): Promise<EventReceiver> {
  const received: Received[] = [];
  const pings: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const delivery = read(Buffer.concat(chunks).toString(), request.headers);
      const isPing = delivery.event.type === 'endpoint.ping';
      (isPing ? pings : received).push(delivery);
      const answer = isPing ? beforePong().then(() => ({ status: 204 })) : answerTo(delivery);
      void Promise.resolve(answer).then(({ status, headers = {}, body = '' }: Answer) =>
        response.writeHead(status, headers).end(body),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    pings,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function read(body: string, all: IncomingHttpHeaders): Received {
  const headers = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
  return {
    event: sent.parse(JSON.parse(body)),
    body,
    headers,
    verify: (secret) => new Webhook(secret).verify(body, headers),
  };
}
