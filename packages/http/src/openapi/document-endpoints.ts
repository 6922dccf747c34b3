import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { pageAnswer } from '../pages/page-about.js';
import { renderPage } from '../pages/send-page.js';
import type { RawAnswer } from '../rest/raw-about.js';
import { send } from '../rest/reply.js';
import type { RawEndpoint } from '../rest/route.js';
import type { HttpServices, RequestContext } from '../server/request-context.js';
import { docsPage } from './docs-page.js';
import { readScripts } from './docs-scripts.js';
import { type DescribedDeployment, openApiDocument } from './open-api-document.js';

/** A document as it is sent. */
interface Rendered {
  readonly contentType: string;
  readonly text: string;
  readonly etag: string;
  readonly policy?: string;
}

const CACHING = {
  ETag: 'Changes with the document.',
  'Cache-Control': 'Documents may be kept for five minutes.',
};

const notModified: RawAnswer = { description: 'It is what `If-None-Match` names.', headers: CACHING };

/**
 * A deployment's documents, for programs and people. Each is created at the first request.
 * @param rows the whole table, including the endpoints of the documents
 */
export function documentEndpoints(
  deployment: Pick<DescribedDeployment, 'name' | 'version' | 'router' | 'hasLanding'>,
  rows: () => DescribedDeployment['rows'],
  { config, cookies, deployment: { application } }: Pick<HttpServices, 'config' | 'cookies' | 'deployment'>,
): Readonly<Record<'document' | 'reference' | 'script', RawEndpoint<RequestContext>>> {
  const document = once(() =>
    openApiDocument({
      ...deployment,
      rows: rows(),
      tokenHeader: config.TOKEN_HEADER_KEY,
      sessionCookie: cookies.name,
      server: {
        url: config.BASE_URL,
        environment: `The ${config.NODE_ENV} service`,
        isInternal: application === 'admin',
      },
    }),
  );
  const json = once(() => rendered('application/json; charset=utf-8', JSON.stringify(document())));
  const page = once(() => {
    const { html, policy } = renderPage(docsPage(document(), '/docs/main.js'));
    return { ...rendered('text/html; charset=utf-8', html), policy };
  });
  const scripts = once(
    () =>
      new Map(
        [...readScripts()].map(([name, text]) => [name, rendered('text/javascript; charset=utf-8', text)]),
      ),
  );
  return {
    document: {
      summary: 'This service as an OpenAPI document',
      about: {
        tag: 'machines',
        answers: {
          200: {
            description: 'The document',
            content: { 'application/json': z.looseObject({ openapi: z.literal('3.1.0') }) },
            headers: CACHING,
          },
          304: notModified,
        },
        refuses: [],
      },
      handle: ({ request, response }) => {
        sendRendered(request, response, json());
      },
    },
    reference: {
      summary: 'This service as a page to read',
      about: {
        tag: 'machines',
        answers: { 200: { ...pageAnswer('The page'), headers: CACHING }, 304: notModified },
        refuses: [],
      },
      handle: ({ request, response }) => {
        sendRendered(request, response, page());
      },
    },
    script: {
      summary: 'A script of that page, by which it searches, copies and tries',
      about: {
        tag: 'machines',
        params: { script: z.string().regex(/^[a-z-]+\.js$/) },
        answers: {
          200: { description: 'The script', content: { 'text/javascript': z.string() }, headers: CACHING },
          304: notModified,
        },
        refuses: ['not_found'],
      },
      handle: ({ request, response, params }) => {
        const script = scripts().get(params['script'] ?? '');
        if (!script) throw new AppError('not_found');
        sendRendered(request, response, script);
      },
    },
  };
}

function rendered(contentType: string, text: string): Rendered {
  return { contentType, text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

function sendRendered(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, text, etag, policy }: Rendered,
): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, max-age=300');
  if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
  if (request.headers['if-none-match']?.includes(etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  send(response, 200, contentType, text);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
