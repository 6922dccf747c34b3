import { plantRequest } from './plant-request.js';

/** One request of a test; `body` is sent as JSON unless it is text. */
export interface TestRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  token?: string | undefined;
  bearer?: string | undefined;
  accountId?: number | string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Sends one request, following no redirect. */
export function sendRequest(
  url: string,
  request: TestRequest = {},
  tokenHeader = 'token',
): Promise<Response> {
  plantRequest(request);
  const headers: Record<string, string> = { ...request.headers };
  if (request.token !== undefined) headers[tokenHeader] = request.token;
  if (request.bearer !== undefined) headers['authorization'] = `Bearer ${request.bearer}`;
  if (request.accountId !== undefined) headers['accountid'] = String(request.accountId);
  if (request.body !== undefined) headers['content-type'] ??= 'application/json';
  return fetch(url, {
    method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(request.body === undefined
      ? {}
      : { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }),
  });
}
