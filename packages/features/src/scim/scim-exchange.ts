import type { ServerResponse } from 'node:http';
import { insertScimRequest } from '@gatehouse/db/queries/scim-tokens';
import { SCIM_TYPE, sendJson, sendScimError } from '@gatehouse/http/rest/reply';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawAbout, RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { toFailure } from '@gatehouse/http/server/request-failure';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import type { Guarded } from '../core/guard/guarded.js';
import { type Directory, identifyDirectory } from './directory-caller.js';
import { LIST_SCHEMA } from './discovery.js';
import { ScimError } from './scim-error.js';

/** The call of a directory. */
export type DirectoryContext = Guarded<{ readonly directory: Directory }>;

/** A directory's request. */
export interface ScimRequest {
  readonly ctx: DirectoryContext;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Where resources are: `{BASE_URL}/scim/v2`. */
  readonly base: string;
  readonly header: (name: string) => string | undefined;
  /** The fields of the body, read when they are first used. */
  readonly body: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The answer. */
export interface ScimAnswer {
  readonly status: number;
  /** Absent for an answer without a body. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const resource = z.looseObject({ schemas: z.array(z.string()) });

const scimContent = { [SCIM_TYPE]: resource };

const REFUSED = { description: 'Refused, in the form of RFC 7644, section 3.12', content: scimContent };

const LIMITED = {
  ...REFUSED,
  headers: {
    'Retry-After': 'Seconds until it is worth asking again',
    RateLimit: 'What is left of the limit: nothing',
    'RateLimit-Policy': 'The limit and its window',
  },
};

/** How an endpoint of SCIM is described. */
interface ScimAbout {
  readonly summary: string;
  readonly success: RawAbout['answers'];
  readonly refused?: readonly number[];
  readonly params?: RawAbout['params'];
  readonly query?: z.ZodObject;
  readonly takesBody?: true;
}

/** An answer with a resource, for documents. */
export function resourceAnswer(description: string): RawAbout['answers'][number] {
  return { description, content: scimContent };
}

/** An endpoint for directories: it identifies the directory, answers, and writes the request to the log of the account. */
export function scimEndpoint(
  { summary, success, refused = [], params, query, takesBody }: ScimAbout,
  answer: (request: ScimRequest) => Promise<ScimAnswer>,
): RawEndpoint<Context> {
  const statuses = [401, 429, ...(takesBody ? [400, 413, 415] : []), ...refused];
  return {
    summary,
    about: {
      tag: 'machines',
      security: 'scimToken',
      ...(params && { params }),
      ...(query && { query }),
      ...(takesBody && {
        body: { types: [SCIM_TYPE, 'application/json'], schema: z.looseObject({}) },
      }),
      answers: {
        ...success,
        ...Object.fromEntries(statuses.map((status) => [status, status === 429 ? LIMITED : REFUSED])),
      },
      refuses: [],
    },
    async handle(exchange) {
      const { ctx, response } = exchange;
      const { services } = ctx;
      const { directory } = await identifyDirectory(ctx, services.access);
      services.keyUse.countDirectory(directory.tokenId);
      try {
        const made = await answer(requestOf(exchange, directory));
        await writeLog(ctx, directory, exchange, { status: made.status, error: null });
        sendAnswer(response, made);
      } catch (error) {
        const { status, message } = error instanceof ScimError ? error : toFailure(error);
        await writeLog(ctx, directory, exchange, { status, error: message });
        if (!(error instanceof ScimError)) throw error;
        sendScimError(response, { status, scimType: error.scimType, detail: message });
      }
    },
  };
}

function requestOf({ ctx, ...exchange }: RawExchange<Context>, directory: Directory): ScimRequest {
  const { request, response, params, query } = exchange;
  return {
    ctx: { ...ctx, directory, authorize: identifyDirectory },
    params,
    query,
    base: `${ctx.services.config.BASE_URL}/scim/v2`,
    header: (name) => ctx.call.header(name),
    body: async () => {
      const arriving = bodyFields(request, response, { form: false, scim: true });
      // It may have arrived slowly. A token that ended meanwhile is refused before the request is read.
      await arriving.catch(() => undefined);
      await identifyDirectory(ctx, ctx.services.access);
      return arriving;
    },
  };
}

function sendAnswer(response: ServerResponse, { status, body, headers = {} }: ScimAnswer): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body !== undefined) {
    sendJson(response, status, body, SCIM_TYPE);
    return;
  }
  response.statusCode = status;
  response.end();
}

/** Writes a request to the log of the account. A database that is away does not change the answer. */
async function writeLog(
  { services: { db, log, now }, call }: Context,
  { accountId, tokenId }: Directory,
  { request }: Pick<RawExchange<Context>, 'request'>,
  { status, error }: { readonly status: number; readonly error: string | null },
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?');
  try {
    await insertScimRequest(db, {
      accountId,
      tokenId,
      atMs: now(),
      method: request.method ?? '-',
      path: path.slice(0, 200),
      status,
      error: error === null ? null : storable(error).slice(0, 300),
    });
  } catch (failure) {
    log.failure('the log of a directory', failure, call.requestId);
  }
}

/** A text without what a database would refuse. */
function storable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, ' ');
}

/** A page of resources, in the form of RFC 7644, section 3.4.2. */
export function listResponse(
  resources: readonly object[],
  { totalResults = resources.length, startIndex = 1 }: { totalResults?: number; startIndex?: number } = {},
): ScimAnswer {
  return {
    status: 200,
    body: {
      schemas: [LIST_SCHEMA],
      totalResults,
      startIndex,
      itemsPerPage: resources.length,
      Resources: resources,
    },
  };
}
