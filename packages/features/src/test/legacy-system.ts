import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const question = z.strictObject({ email: z.string(), password: z.string() });

/** What the system does with a request whose signature is valid. */
export type LegacyBehavior = (asked: {
  readonly email: string;
  readonly password: string;
  readonly response: ServerResponse;
}) => unknown;

/** A previous system that speaks the protocol of docs/importing.md, and counts the requests it gets. */
export interface LegacySystem extends AsyncDisposable {
  readonly url: string;
  readonly secret: string;
  readonly asked: readonly { readonly email: string; readonly password: string }[];
  /** Requests whose signature is wrong or old, or whose body has another form. */
  readonly refused: number;
  /** The most requests that were open at the same time. */
  readonly mostAtOnce: number;
  /** Answers from now on in another way. */
  behave(behavior: LegacyBehavior): void;
}

/** Answers by a table of passwords. */
export const knows =
  (passwords: Readonly<Record<string, string>>, profile?: object): LegacyBehavior =>
  ({ email, password }) =>
    passwords[email] === password ? { verified: true, ...(profile && { profile }) } : { verified: false };

const TOLERANCE_SECONDS = 300;

export async function startLegacySystem(behavior: LegacyBehavior): Promise<LegacySystem> {
  const secret = `whsec_${Buffer.from('a-key-that-only-both-systems-know').toString('base64')}`;
  const asked: { email: string; password: string }[] = [];
  const counts = { refused: 0, open: 0, most: 0 };
  let behave = behavior;
  const server = createServer((request, response) => {
    counts.open += 1;
    counts.most = Math.max(counts.most, counts.open);
    response.once('close', () => {
      counts.open -= 1;
    });
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const read = isSigned(request, body, secret) ? question.safeParse(JSON.parse(body)) : undefined;
    if (request.method !== 'POST' || read?.success !== true) {
      counts.refused += 1;
      response.writeHead(401).end();
      return;
    }
    asked.push(read.data);
    const said: unknown = await behave({ ...read.data, response });
    if (said === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/verify?of=gatehouse`,
    secret,
    asked,
    get refused() {
      return counts.refused;
    },
    get mostAtOnce() {
      return counts.most;
    },
    behave(other) {
      behave = other;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** The verification of a receiver that knows only Standard Webhooks. */
function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
  if (Math.abs(Date.now() / 1000 - Number(at)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${body}`)
      .digest('base64')}`,
  );
  const sent = Buffer.from(String(signature));
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
