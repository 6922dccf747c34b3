import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface HandlerTimeouts {
  enter(response: ServerResponse, request: IncomingMessage): void;
  leave(response: ServerResponse): void;
  /** The response under way on a connection; looks at all of them. */
  responseOn(socket: Socket): ServerResponse | undefined;
  close(): void;
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
  const running = new Map<ServerResponse, { request: IncomingMessage; sinceMs: number }>();
  const timer = setInterval(() => {
    const beforeMs = performance.now() - options.timeoutMs;
    for (const [response, { request, sinceMs }] of running) {
      // They stand in the order they came.
      if (sinceMs > beforeMs) return;
      running.delete(response);
      if (response.headersSent) response.destroy();
      else {
        options.answer(request, response);
        silence(response);
      }
    }
  }, options.everyMs);
  timer.unref();

  return {
    enter: (response, request) => void running.set(response, { request, sinceMs: performance.now() }),
    leave: (response) => void running.delete(response),
    responseOn: (socket) => [...running].find(([, { request }]) => request.socket === socket)?.[0],
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
