import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface HandlerTimeouts {
  /** Returns a function to call when the response is closed. */
  enter(request: IncomingMessage, response: ServerResponse): () => void;
  /** The response that is next among those pipelined on a connection. Reads the whole list. */
  responseOn(socket: Socket): ServerResponse | undefined;
  close(): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sinceMs: number;
  /** Its index among the requests in progress; undefined once it has left. */
  place: number | undefined;
}

/**
 * Answers for handlers that take too long, so that every request gets an answer. One timer serves all,
 * because a timer per request would cost more than the rest of this.
 */
export function createHandlerTimeouts(options: {
  timeoutMs: number;
  everyMs: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}): HandlerTimeouts {
  // An array, not a Set: a Set allocates a new table every few requests. Each dead table keeps the next one
  // alive, with its requests, until a full collection.
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

/** A late error of the handler is ignored, because the answer was already sent. */
function silence(response: ServerResponse): void {
  response.setHeader = () => response;
  response.appendHeader = () => response;
  response.writeHead = () => response;
  response.write = () => true;
  response.end = () => response;
}
