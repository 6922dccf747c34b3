import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnyTRPCRouter, callTRPCProcedure, getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server';
import type { RequestContext } from '../server/request-context.js';
import { hasBody } from '../server/request-headers.js';
import { type TrpcRefusal, toTrpcRefusal } from './trpc-refusal.js';

type Answer = { readonly result: { readonly data: unknown } } | { readonly error: TrpcRefusal };

interface Exchange {
  readonly ctx: RequestContext;
  readonly response: ServerResponse;
  /** Called for each call that failed, and for an answer that could not be written. */
  onError(error: TRPCError): void;
  /** The headers that depend on what failed. */
  headersAfter(errors: readonly TRPCError[]): readonly [string, string][];
}

/**
 * Answers queries as tRPC's adapter does, without a Fetch request and response for each (ADR 1). A call that fails has its
 * refusal in its place; the status is 207 if the calls differ.
 */
export async function answerQueries(
  router: AnyTRPCRouter,
  { names, inputs, isBatch }: Queries,
  { ctx, response, onError, headersAfter }: Exchange,
): Promise<void> {
  const errors: TRPCError[] = [];

  function refusal(cause: unknown, path?: string): Answer {
    const error = getTRPCErrorFromUnknown(cause);
    errors.push(error);
    onError(error);
    return { error: toTrpcRefusal({ shape: { data: path === undefined ? {} : { path } }, error, ctx }) };
  }

  async function call(path: string, index: number): Promise<Answer> {
    try {
      const data: unknown = await callTRPCProcedure({
        router,
        path,
        getRawInput: () => Promise.resolve(inputs[index]),
        ctx,
        type: 'query',
        signal: undefined,
        batchIndex: index,
      });
      return { result: { data } };
    } catch (cause) {
      return refusal(cause, path);
    }
  }

  const written = (answers: readonly Answer[]): string => JSON.stringify(isBatch ? answers : answers[0]);

  let answers = await Promise.all(names.map(call));
  let body: string;
  try {
    body = written(answers);
  } catch (cause) {
    answers = [refusal(cause)];
    body = written(answers);
  }
  response.statusCode = statusOf(answers);
  response.appendHeader('Vary', 'trpc-accept, accept');
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  for (const [name, value] of headersAfter(errors)) response.setHeader(name, value);
  response.end(body);
}

function statusOf(answers: readonly Answer[]): number {
  const [status = 200, ...others] = new Set(
    answers.map((answer) => ('error' in answer ? answer.error.data.httpStatus : 200)),
  );
  return others.length === 0 ? status : 207;
}

/** The calls of a request that only reads. */
interface Queries {
  /** The names of the procedures, in the order of the answer. */
  readonly names: readonly string[];
  /** What each is called with. */
  readonly inputs: readonly unknown[];
  /** Whether the answer is a list, even of one. */
  readonly isBatch: boolean;
}

/** The input needs no decoding. */
const PLAIN_PATH = /^[\w.,]+$/;

const PLAIN_HOST = /^[\w.:[\]-]+$/;

/**
 * The calls of a tRPC request, if all are queries that exist and are well-formed and nothing but JSON is requested. Undefined for
 * every other request, which tRPC's own adapter reads or refuses.
 * @param known the names of the queries
 */
export function queriesIn(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  { path, search }: { readonly path: string; readonly search: string },
  { known, limit }: { readonly known: ReadonlySet<string>; readonly limit: number },
): Queries | undefined {
  if (request.method !== 'GET' || !isPlain(request) || !PLAIN_PATH.test(path) || search.includes('#'))
    return undefined;
  const query = new URLSearchParams(search);
  if (query.has('connectionParams')) return undefined;
  const isBatch = query.get('batch') === '1';
  const names = isBatch ? path.split(',') : [path];
  if (names.length > limit || !names.every((name) => known.has(name))) return undefined;
  const inputs = inputsIn(query.get('input'), { isBatch, count: names.length });
  return inputs && { names, inputs, isBatch };
}

function isPlain(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { host, accept } = request.headers;
  const type = request.headers['content-type'];
  return (
    request.headers['trpc-accept'] === undefined &&
    !accept?.includes('jsonl') &&
    (type === undefined || type === 'application/json') &&
    PLAIN_HOST.test(host ?? '') &&
    !hasBody(request)
  );
}

function inputsIn(
  text: string | null,
  { isBatch, count }: { readonly isBatch: boolean; readonly count: number },
): readonly unknown[] | undefined {
  if (text === null || text === '') return Array.from({ length: count });
  const sent = parsed(text);
  if (sent === undefined) return undefined;
  if (!isBatch) return [sent];
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const byIndex = new Map<string, unknown>(Object.entries(sent));
  return Array.from({ length: count }, (_, index) => byIndex.get(String(index)));
}

/** Undefined for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
