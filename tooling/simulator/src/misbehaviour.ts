import type { ServerResponse } from 'node:http';
import { z } from 'zod';

/** The failures that an endpoint can simulate. */
export const misbehaviourSchema = z.enum([
  'empty',
  'error500',
  'gateway404',
  'hang',
  'html',
  'huge',
  'list',
  'null',
  'rateLimit',
  'redirect',
  'refuse',
  'reset',
  'slow',
  'wrongTypes',
  'xml',
]);

export type Misbehaviour = z.output<typeof misbehaviourSchema>;

/** How long `slow` waits before a normal answer, in milliseconds. */
const SLOW_MS = 800;
const HUGE_BYTES = 4 * 1024 * 1024;

/**
 * Sends a bad answer.
 * @returns whether a good answer is still to follow
 */
export async function misbehave(how: Misbehaviour, response: ServerResponse): Promise<boolean> {
  const send = (status: number, type: string, body: string) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
    return false;
  };
  switch (how) {
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return true;
    case 'empty':
      return send(200, 'application/json', '');
    case 'error500':
      return send(500, 'application/json', '{"error":"server_error"}');
    case 'gateway404':
      return send(404, 'application/json', '{"error":{"message":"no route matches"}}');
    case 'hang':
      return false;
    case 'html':
      return send(200, 'text/html', '<!doctype html><title>Maintenance</title><h1>Back soon</h1>');
    case 'huge':
      return send(200, 'application/json', `{"access_token":"${'x'.repeat(HUGE_BYTES)}"}`);
    case 'list':
      return send(200, 'application/json', '[null, 1, "x"]');
    case 'null':
      return send(200, 'application/json', 'null');
    case 'rateLimit':
      // GitHub says so with 403 or 429.
      response.writeHead(403, {
        'content-type': 'application/json',
        'retry-after': '60',
        'x-ratelimit-remaining': '0',
      });
      response.end('{"message":"You have exceeded a secondary rate limit."}');
      return false;
    case 'redirect':
      response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' });
      response.end();
      return false;
    case 'refuse':
      return send(403, 'application/json', '{"error":"access_denied"}');
    case 'reset':
      response.destroy();
      return false;
    case 'xml':
      return send(
        400,
        'application/xml',
        '<!DOCTYPE a [<!ENTITY b "c">]><errors><error>&b;</error><unclosed',
      );
    case 'wrongTypes':
      return send(
        200,
        'application/json',
        '{"access_token":{"toString":1},"sub":[],"id":{},"data":7,"error":null}',
      );
  }
}
