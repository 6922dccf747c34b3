import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { listenAndReport } from '../target.js';

const delivery = z.object({ timestamp: z.string() });

/** The times from the changes to the receipts of their events. */
let tookMs: number[] = [];
const unanswered = new Set<ServerResponse>();

/** Accepts events at once, except those at `/silent`, which get no answer. */
const receive: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/silent') {
      unanswered.add(response);
      return;
    }
    const { timestamp } = delivery.parse(JSON.parse(Buffer.concat(chunks).toString()));
    tookMs.push(Date.now() - Date.parse(timestamp));
    response.writeHead(204).end();
  });
};

process.on('message', (message) => {
  if (message === 'count') {
    process.send?.({ count: tookMs.length });
    return;
  }
  process.send?.({ tookMs });
  tookMs = [];
  for (const response of unanswered) response.destroy();
  unanswered.clear();
});

/** Ten hosts: the endpoints of one share its places. */
const LAST_HOST = 10;

const first = createServer(receive);
first.on('listening', () => {
  const address = first.address();
  if (address === null || typeof address === 'string') return;
  for (let host = 2; host <= LAST_HOST; host += 1)
    createServer(receive).listen(address.port, `127.0.0.${host}`);
});
listenAndReport(first);
