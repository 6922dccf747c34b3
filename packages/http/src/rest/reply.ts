import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '@gatehouse/auth-core';
import type { HttpConfig } from '../server/http-config.js';
import type { RequestContext } from '../server/request-context.js';
import type { Failure } from '../server/request-failure.js';

/** The refusals whose bodies clients of the replaced system compare byte by byte. */
export const PLAIN_BODIES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'unauthorized access',
  bearer_refused: '',
};

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  type = 'application/json',
): void {
  send(response, status, `${type}; charset=utf-8`, JSON.stringify(body));
}

export function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.statusCode = status;
  if (body !== '') response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

export const SCIM_TYPE = 'application/scim+json';

/** Whether a path is one of those at which directories provision people (RFC 7644). */
function isScimPath(path: string): boolean {
  return /^\/scim(\/|\?|$)/i.test(path);
}

/** Renders an error as in RFC 7644, section 3.12. */
export function sendScimError(
  response: ServerResponse,
  { status, scimType, detail }: { status: number; scimType?: string | undefined; detail: string },
): void {
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
  sendJson(response, status, body, SCIM_TYPE);
}

/**
 * Renders a failure: as a page, as the error envelope, as RFC 9457 problem details if the client asks for them, or as a
 * documented plain body.
 */
export function sendFailure(
  response: ServerResponse,
  failure: Failure,
  request: {
    requestId: string;
    accept: string | undefined;
    path: string;
    resourceMetadata?: string | undefined;
    /** Sends the page for a person; absent for programs. */
    showPage?: (() => void) | undefined;
  },
): void {
  for (const [name, value] of failureHeaders(failure, request.resourceMetadata))
    response.setHeader(name, value);
  if (request.showPage !== undefined) {
    request.showPage();
    return;
  }
  if (isScimPath(request.path)) {
    sendScimError(response, { status: failure.status, detail: failure.message });
    return;
  }
  const plain = PLAIN_BODIES[failure.code];
  if (plain !== undefined) {
    send(response, failure.status, 'text/plain; charset=utf-8', plain);
    return;
  }
  const more = {
    ...(failure.issues ? { issues: failure.issues } : {}),
    ...(failure.verification ? { verification: failure.verification } : {}),
    ...(failure.signals ? { signals: failure.signals } : {}),
    ...(failure.flow === undefined ? {} : { flow: failure.flow }),
    ...(failure.startUrl === undefined ? {} : { startUrl: failure.startUrl }),
    ...failure.step,
  };
  if (request.accept?.includes('application/problem+json')) {
    const problem = {
      type: `urn:gatehouse:problem:${failure.code}`,
      title: failure.message,
      status: failure.status,
      detail: failure.message,
      instance: request.path,
      code: failure.code,
      ...more,
      requestId: request.requestId,
    };
    sendJson(response, failure.status, problem, 'application/problem+json');
    return;
  }
  sendJson(response, failure.status, {
    status: false,
    message: failure.message,
    error: { code: failure.code, ...more },
    requestId: request.requestId,
  });
}

/**
 * The headers of several failures in one batch. Each value appears once; of several waits, the longest is used, since
 * `Retry-After` holds only one (RFC 9110, section 10.2.3).
 */
export function batchHeaders(failures: readonly Failure[], resourceMetadata?: string): [string, string][] {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of failures.flatMap((failure) => failureHeaders(failure, resourceMetadata))) {
    values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return [...values].map(([name, each]) => [
    name,
    name === 'Retry-After' ? String(Math.max(...[...each].map(Number))) : [...each].join(', '),
  ]);
}

/**
 * The headers of a failure on either transport, with the RateLimit fields of draft-ietf-httpapi-ratelimit-headers.
 * @param resourceMetadata where an unknown client reads how to get a token (RFC 9728, section 5.1)
 */
function failureHeaders(
  { code, status, retryAfterSeconds, policy, verification }: Failure,
  resourceMetadata: string | undefined,
): [string, string][] {
  const headers: [string, string][] = [];
  if (status === 401) {
    const metadata =
      code === 'unauthorized' && resourceMetadata !== undefined
        ? `resource_metadata="${resourceMetadata}", `
        : '';
    headers.push(['WWW-Authenticate', `Bearer ${metadata}realm="gatehouse"`]);
  }
  // RFC 6750, section 3.1.
  if (code === 'insufficient_scope')
    headers.push(['WWW-Authenticate', 'Bearer error="insufficient_scope", realm="gatehouse"']);
  if (verification) {
    const { maxAgeSeconds } = verification;
    const challenge = `Bearer error="insufficient_user_authentication", max_age=${maxAgeSeconds}`;
    headers.push(['WWW-Authenticate', challenge]);
  }
  if (retryAfterSeconds !== undefined) headers.push(['Retry-After', String(retryAfterSeconds)]);
  if (policy) {
    headers.push(['RateLimit-Policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`]);
    headers.push(['RateLimit', `"${policy.name}";r=0;t=${retryAfterSeconds ?? policy.windowSeconds}`]);
  }
  return headers;
}

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

/** Headers of every answer. Pages that load resources replace the policy. */
export function securityHeaders(
  config: Pick<HttpConfig, 'BASE_URL'>,
): readonly (readonly [string, string])[] {
  const headers: [string, string][] = [
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (config.BASE_URL.startsWith('https:')) {
    headers.push(['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']);
  }
  return headers;
}
