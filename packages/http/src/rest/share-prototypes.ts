import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Puts Express's request and response prototypes behind a server's own classes, once. Express otherwise changes the prototype of
 * every single request and response. V8 then keeps them longer and discards its optimized code.
 * @param classes as `createServer` takes them, not shared with any other server or application
 */
export function sharePrototypes(
  app: Express,
  classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse },
): void {
  const request = classes.IncomingMessage.prototype;
  const response = classes.ServerResponse.prototype;
  Object.setPrototypeOf(request, app.request);
  Object.setPrototypeOf(response, app.response);
  Object.assign(app, { request, response });
}
