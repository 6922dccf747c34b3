import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { pageAnswer } from '../pages/html-page.js';
import type { DescribedEndpoint, RawAnswer, RawEndpoint } from '../rest/route.js';
import type { RequestContext } from '../server/request-context.js';
import type { Tag } from '../trpc/procedure-rule.js';
import {
  type DescribedDeployment,
  type DescribedService,
  describedDeployment,
  documentTags,
  openApiDocument,
} from './open-api-document.js';
import { referencePage, SCRIPTS } from './reference-page.js';

/** A document as it is sent. */
interface Rendered {
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly policy?: string;
}

const CACHING = {
  ETag: 'Changes with the document.',
  'Cache-Control': 'Documents may be kept for five minutes.',
};

const notModified: RawAnswer = { description: 'It is what `If-None-Match` names.', headers: CACHING };

const query = z.object({
  tag: z
    .string()
    .optional()
    .describe(
      'Only the operations of this tag. Tags that there are not are refused by naming those there are.',
    ),
});

export const DOCUMENT: DescribedEndpoint = {
  summary: 'This service as an OpenAPI document',
  about: {
    tag: 'machines',
    query,
    answers: {
      200: {
        description: 'The document',
        content: { 'application/json': z.looseObject({ openapi: z.literal('3.1.0') }) },
        headers: CACHING,
      },
      304: notModified,
    },
    refuses: ['invalid_input'],
  },
};

export const REFERENCE: DescribedEndpoint = {
  summary: 'This service as a page to read',
  about: {
    tag: 'pages',
    query,
    answers: { 200: { ...pageAnswer('The page'), headers: CACHING }, 304: notModified },
    refuses: ['invalid_input'],
  },
};

export const SCRIPT: DescribedEndpoint = {
  summary: 'A script of that page, by which it searches, copies and tries',
  about: {
    tag: 'pages',
    params: { script: z.string().regex(/^[a-z-]+\.js$/) },
    answers: {
      200: { description: 'The script', content: { 'text/javascript': z.string() }, headers: CACHING },
      304: notModified,
    },
    refuses: ['not_found'],
  },
};

/**
 * A deployment's documents, for programs and people. Each is created at the first request for its tag.
 * @param rows the whole table, including the endpoints of the documents
 */
export function documentHandlers(
  service: DescribedService,
  rows: () => DescribedDeployment['rows'],
): Readonly<Record<'document' | 'reference' | 'script', RawEndpoint<RequestContext>['handle']>> {
  const deployment = once(() => describedDeployment(service, rows()));
  const tags = once(() => documentTags(deployment()));
  const document = oncePerTag((tag) => openApiDocument(deployment(), tag));
  const json = oncePerTag((tag) =>
    rendered('application/json; charset=utf-8', JSON.stringify(document(tag))),
  );
  const page = oncePerTag((tag) => {
    const { html, policy } = referencePage(document(tag).info.title, tag === undefined ? '' : `?tag=${tag}`);
    return { ...rendered('text/html; charset=utf-8', html), policy };
  });
  const scripts = new Map(
    [...SCRIPTS].map(([name, file]) => [
      name,
      once(() => rendered('text/javascript; charset=utf-8', readFileSync(file))),
    ]),
  );
  return {
    document: ({ request, response, query: sent }) => {
      sendRendered(request, response, json(tagIn(sent, tags())));
    },
    reference: ({ request, response, query: sent }) => {
      sendRendered(request, response, page(tagIn(sent, tags())));
    },
    script: ({ request, response, params }) => {
      const script = scripts.get(params['script'] ?? '');
      if (!script) throw new AppError('not_found');
      sendRendered(request, response, script());
    },
  };
}

/** @throws {AppError} `invalid_input`, listing the tags, for an unknown one or more than one */
function tagIn(sent: URLSearchParams, tags: readonly Tag[]): Tag | undefined {
  const asked = sent.getAll('tag');
  if (asked.length === 0) return undefined;
  const [found] = asked.length === 1 ? tags.filter((tag) => tag === asked[0]) : [];
  if (found !== undefined) return found;
  throw new AppError('invalid_input', {
    issues: [{ path: 'tag', message: `must be one of ${tags.join(', ')}` }],
  });
}

function rendered(contentType: string, content: string | Buffer): Rendered {
  // With a string, each answer would hold a copy until the client has read it.
  const body = Buffer.from(content);
  return { contentType, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

function sendRendered(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, body, etag, policy }: Rendered,
): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, max-age=300');
  if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
  if (request.headers['if-none-match']?.includes(etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

/** A value for each tag, and for no tag, that is created once. */
function oncePerTag<Value>(make: (tag: Tag | undefined) => Value): (tag: Tag | undefined) => Value {
  const made = new Map<Tag | undefined, () => Value>();
  return (tag) => {
    const one = made.get(tag) ?? once(() => make(tag));
    made.set(tag, one);
    return one();
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
