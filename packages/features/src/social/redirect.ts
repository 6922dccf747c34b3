import type { ServerResponse } from 'node:http';

/** Sends a browser elsewhere, with a GET. */
export function redirect(response: ServerResponse, location: string): void {
  response.statusCode = 302;
  response.setHeader('Location', location);
  response.setHeader('Content-Length', 0);
  response.end();
}
