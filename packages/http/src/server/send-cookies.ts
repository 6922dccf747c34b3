import type { ServerResponse } from 'node:http';
import type { Failure } from './errors.js';
import type { RequestContext } from './request-context.js';

/** Adds the cookies of a call to its answer. A session cookie that is refused is removed. */
export function sendCookies(
  response: ServerResponse,
  { call: { facts }, services }: RequestContext,
  failures: readonly Failure[] = [],
): void {
  const { cookies: lines, byCookie } = facts;
  const isRefused = byCookie !== undefined && failures.some(({ code }) => code === 'unauthorized');
  if (lines === undefined && !isRefused) return;
  const removal = isRefused ? { [byCookie]: services.cookies.forget(byCookie) } : {};
  response.setHeader('Set-Cookie', Object.values({ ...removal, ...lines }));
}
