import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import type { TestProxy } from '@gatehouse/testkit';
import { forward } from './forward.js';
import { createJudge, type Judge } from './judge.js';
import { wholeDocument } from './whole-document.js';

const judges = new Map<string, Promise<Judge>>();

/** The checker for a service's documents. Services with the same document share one. */
async function judgeOf(serviceUrl: string): Promise<Judge> {
  const document = await wholeDocument(
    async (path) => (await (await fetch(`${serviceUrl}${path}`)).json()) as OpenApiDocument,
  );
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
