import type { ServerResponse } from 'node:http';
import type { Failure } from './errors.js';
import type { RequestContext } from './request-context.js';

/** Adds the cookies of a call to its answer. A session cookie that is refused is removed. */
export function sendCookies(
  response: ServerResponse,
  { call: { facts }, services }: RequestContext,
  failures: readonly Failure[] = [],
): void {
  const { cookies: lines } = facts;
  const isRefused = facts.isByCookie === true && failures.some(({ code }) => code === 'unauthorized');
  if (lines === undefined && !isRefused) return;
  const removal = isRefused ? { session: services.cookies.forget('session') } : {};
  response.setHeader('Set-Cookie', Object.values({ ...removal, ...lines }));
}
