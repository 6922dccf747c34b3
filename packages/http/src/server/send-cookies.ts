import type { ServerResponse } from 'node:http';
import type { Failure } from './errors.js';
import type { RequestContext } from './request-context.js';

/** Adds the cookies of a call to its answer. The cookie of a session that is over is removed when its call is refused. */
export function sendCookies(
  response: ServerResponse,
  { call: { facts }, services }: RequestContext,
  failures: readonly Failure[] = [],
): void {
  const { cookies: lines, byCookie, isCookieOver = false } = facts;
  const isRefused =
    byCookie !== undefined && isCookieOver && failures.some(({ code }) => code === 'unauthorized');
  if (lines === undefined && !isRefused) return;
  const removal = isRefused ? { [byCookie]: services.cookies.forget(byCookie) } : {};
  response.setHeader('Set-Cookie', Object.values({ ...removal, ...lines }));
}
