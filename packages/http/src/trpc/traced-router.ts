import type { Tracing } from '@gatehouse/runtime/tracing/tracing';
import type { AnyTRPCRouter } from '@trpc/server';
import { proceduresOf } from './procedures-of.js';

/**
 * The same router, whose procedures are spans. A middleware would do it too, and cost every call some ten microseconds
 * where nothing is traced.
 */
export function tracedRouter(router: AnyTRPCRouter, tracing: Tracing): AnyTRPCRouter {
  const procedures = Object.fromEntries(
    Object.entries(proceduresOf(router)).map(([path, procedure]) => [
      path,
      Object.assign((call: unknown) => tracing.span(path, {}, () => run(procedure, call)), procedure),
    ]),
  );
  return { ...router, _def: { ...router._def, procedures } };
}

/** What tRPC keeps as a procedure is a function of the call, and its type does not say so. */
async function run(procedure: unknown, call: unknown): Promise<unknown> {
  if (typeof procedure !== 'function') throw new TypeError('a procedure is a function of its call');
  const answer: unknown = await Reflect.apply(procedure, undefined, [call]);
  return answer;
}
