import type { ServerResponse } from 'node:http';
import { type AnyTRPCRouter, callTRPCProcedure, getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server';
import type { RequestContext } from '../server/request-context.js';
import type { Queries } from './queries-in.js';
import { type TrpcRefusal, toTrpcRefusal } from './trpc-refusal.js';

type Answer = { readonly result: { readonly data: unknown } } | { readonly error: TrpcRefusal };

interface Exchange {
  readonly ctx: RequestContext;
  readonly response: ServerResponse;
  /** Told of each call that failed, and of an answer that could not be written. */
  onError(error: TRPCError): void;
  /** The headers that depend on what failed. */
  headersAfter(errors: readonly TRPCError[]): readonly [string, string][];
}

/**
 * Answers queries as tRPC's adapter does, without a Fetch request and response of each (ADR 1). A call that fails has its
 * refusal in its place; the status is 207 where the calls differ.
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
