import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Puts what Express adds to requests and responses behind the classes of a server, once. Express gives every request
 * and response its own prototype; V8 then keeps each of them beyond its request and drops the code it has optimised for
 * them, unless they have that prototype already.
 *
 * @param classes as `createServer` takes them, and of no other server or application
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
