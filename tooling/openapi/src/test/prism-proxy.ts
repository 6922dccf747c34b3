import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import type { TestProxy } from '@gatehouse/testkit';
import type { Exchange } from './exchange.js';
import { createJudge, type Judge } from './judge.js';
import { wholeDocument } from './whole-document.js';

/** Forwards a request byte for byte, and waits for the whole answer. */
async function forward(request: IncomingMessage, serviceUrl: string): Promise<Exchange> {
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

const judges = new Map<string, Promise<Judge>>();

/** The checker for a service's documents. Services with the same document share one. */
async function judgeOf(serviceUrl: string): Promise<Judge> {
  const document = await wholeDocument(async (path) => {
    const answer = await fetch(`${serviceUrl}${path}`);
    return answer.ok ? ((await answer.json()) as OpenApiDocument) : undefined;
  });
  const text = JSON.stringify(document);
  const judge = judges.get(text) ?? createJudge(document);
  judges.set(text, judge);
  return judge;
}

/**
 * A proxy in front of a service that checks every exchange against the service's own document. Closing it throws
 * if anything was found.
 */
export async function openPrismProxy(serviceUrl: string): Promise<TestProxy> {
  const judge = await judgeOf(serviceUrl);
  const findings: string[] = [];

  const server = createServer((request, answer) => {
    const passOn = async () => {
      const exchange = await forward(request, serviceUrl);
      if (!exchange.target.startsWith('/trpc/')) findings.push(...(await judge(exchange)));
      answer.writeHead(exchange.status, [...exchange.rawHeaders]);
      answer.end(exchange.responseBody);
    };
    passOn().catch((error: unknown) => {
      findings.push(`${request.method} ${request.url} did not pass: ${String(error)}`);
      answer.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      const different = [...new Set(findings)];
      if (different.length > 0) {
        throw new Error(`Not as /openapi.json describes it:\n${different.join('\n')}`);
      }
    },
  };
}
