import type { ServerResponse } from 'node:http';

/** Redirects a browser, with a GET. */
export function redirect(response: ServerResponse, location: string): void {
  response.statusCode = 302;
  response.setHeader('Location', location);
  response.setHeader('Content-Length', 0);
  response.end();
}
