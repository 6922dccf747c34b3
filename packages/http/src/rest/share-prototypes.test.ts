import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { sharePrototypes } from './share-prototypes.js';

describe('sharing prototypes with Express', () => {
  it('leaves Express nothing to change on a request or response, and keeps all of its methods', async () => {
    class Incoming extends IncomingMessage {
      readonly arrived = 'here';
    }
    class Outgoing<Request extends IncomingMessage> extends ServerResponse<Request> {}
    const app = express();
    sharePrototypes(app, { IncomingMessage: Incoming, ServerResponse: Outgoing });

    const kept: boolean[] = [];
    app.use((request, response) => {
      kept.push(prototypeOf(request) === Incoming.prototype, prototypeOf(response) === Outgoing.prototype);
      response.status(201).json({
        path: request.path,
        host: request.get('host'),
        isOurs: request.app === app && response.app === app,
        arrived: request instanceof Incoming && request.arrived,
      });
    });
    const server = createServer(
      { IncomingMessage: Incoming, ServerResponse: Outgoing },
      (request, response) => {
        kept.push(prototypeOf(request) === Incoming.prototype, prototypeOf(response) === Outgoing.prototype);
        app(request, response);
      },
    ).listen(0, '127.0.0.1');
    const host = `127.0.0.1:${await portOf(server)}`;

    const answer = await fetch(`http://${host}/a?b=c`);
    server.close();
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ path: '/a', host, isOurs: true, arrived: 'here' });
    expect(kept).toEqual([true, true, true, true]);
  });
});

function prototypeOf(value: object): unknown {
  return Object.getPrototypeOf(value);
}

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}
