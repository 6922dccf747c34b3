import { type IncomingMessage, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Exchange } from './exchange.js';

/** Forwards a request byte for byte, and waits for the whole answer. */
export async function forward(request: IncomingMessage, serviceUrl: string): Promise<Exchange> {
  const { method = 'GET', url: target = '/', headers: requestHeaders } = request;
  const requestBody = await buffer(request);
  const { hostname, port } = new URL(serviceUrl);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const passed = sendRequest(
      { hostname, port, method, path: target, headers: passedOn(request.rawHeaders), agent: false },
      resolve,
    );
    // A service may refuse a body before it has read it.
    passed.on('error', reject);
    passed.end(requestBody);
  });
  const responseBody = await buffer(answer);
  return {
    method,
    target,
    requestHeaders,
    requestBody,
    status: answer.statusCode ?? 0,
    rawHeaders: answer.rawHeaders,
    responseHeaders: answer.headers,
    responseBody,
  };
}

/** All headers, including repeated ones. The connection to the service is separate from the caller's. */
function passedOn(rawHeaders: readonly string[]): string[] {
  const ofConnection = new Set(['connection', 'transfer-encoding', 'expect']);
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !ofConnection.has(name.toLowerCase());
  });
}
