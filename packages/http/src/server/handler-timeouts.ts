import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface HandlerTimeouts {
  /** Returns what is called when the response is closed. */
  enter(request: IncomingMessage, response: ServerResponse): () => void;
  /** The response whose turn it is on a connection, of those that wait there in a pipeline; looks at all. */
  responseOn(socket: Socket): ServerResponse | undefined;
  close(): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sinceMs: number;
  /** Where it stands among those under way; undefined once it has left. */
  place: number | undefined;
}

/**
 * Answers for handlers that take too long, so that no request is ever left without an answer. One timer looks after all
 * of them, since one for each request would cost more than the rest of this.
 */
export function createHandlerTimeouts(options: {
  timeoutMs: number;
  everyMs: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}): HandlerTimeouts {
  // Not a Set: that makes a new table every few requests, and each dead table keeps the next one alive, with the requests
  // in it, until all memory is collected.
  const running: Exchange[] = [];

  function leave(exchange: Exchange): void {
    const { place } = exchange;
    if (place === undefined) return;
    exchange.place = undefined;
    const last = running.pop();
    if (last === undefined || last === exchange) return;
    running[place] = last;
    last.place = place;
  }

  const timer = setInterval(() => {
    const beforeMs = performance.now() - options.timeoutMs;
    for (const exchange of running.filter(({ sinceMs }) => sinceMs <= beforeMs)) {
      leave(exchange);
      const { request, response } = exchange;
      if (response.headersSent) response.destroy();
      else {
        options.answer(request, response);
        silence(response);
      }
    }
  }, options.everyMs);
  timer.unref();

  return {
    enter(request, response) {
      const exchange: Exchange = { request, response, sinceMs: performance.now(), place: running.length };
      running.push(exchange);
      return () => leave(exchange);
    },
    responseOn: (socket) => running.find(({ response }) => response.socket === socket)?.response,
    close: () => clearInterval(timer),
  };
}

/** What the handler still says when it comes to it is not an error: nobody listens any more. */
function silence(response: ServerResponse): void {
  response.setHeader = () => response;
  response.writeHead = () => response;
  response.write = () => true;
  response.end = () => response;
}
