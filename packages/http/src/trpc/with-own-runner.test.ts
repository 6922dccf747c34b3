import { type AnyTRPCRouter, callTRPCProcedure, initTRPC, TRPCError } from '@trpc/server';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { proceduresOf } from './list-procedures.js';
import { withOwnRunner } from './with-own-runner.js';

interface Context {
  readonly seen: unknown[];
  readonly added?: number;
}

const t = initTRPC.context<Context>().create({ isDev: false });

const STEPS = {
  'sees the call': (builder) =>
    builder.use(async ({ next, ctx, ...call }) => {
      ctx.seen.push({ keys: Object.keys(ctx), names: Object.keys(call).toSorted(), input: call.input });
      return next();
    }),
  'adds to the context': (builder) =>
    builder.use(({ ctx, next }) => next({ ctx: { added: (ctx.added ?? 0) + 1 } })),
  'reads the input first': (builder) =>
    builder.use(async ({ getRawInput, ctx, next }) => {
      ctx.seen.push(await getRawInput());
      return next();
    }),
  'changes the input': (builder) =>
    builder.use(({ next }) => next({ getRawInput: () => Promise.resolve({ a: 7, b: 8 }) })),
  'takes a': (builder) => builder.input(z.object({ a: z.number() })),
  'takes b': (builder) => builder.input(z.object({ b: z.number() })),
  'goes on twice': (builder) =>
    builder.use(async ({ ctx, next }) => {
      ctx.seen.push((await next()).ok);
      return next();
    }),
  'looks at what failed': (builder) =>
    builder.use(async ({ ctx, next }) => {
      const result = await next();
      ctx.seen.push(result.ok ? result.data : result.error.message);
      return result;
    }),
  'throws its own error': (builder) =>
    builder.use(() => {
      throw new Error('broken');
    }),
  refuses: (builder) =>
    builder.use(() => {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'no', cause: new Error('because') });
    }),
  'promises a number': (builder) => builder.output(z.number()),
  'promises what takes time to check': (builder) =>
    builder.output(z.unknown().refine((value) => Promise.resolve(typeof value === 'string'))),
  'promises anything': (builder) => builder.output(z.unknown()),
} satisfies Record<string, (builder: typeof t.procedure) => unknown>;

type StepName = keyof typeof STEPS;

function routerOf(names: readonly StepName[], body: () => unknown): AnyTRPCRouter {
  let builder = t.procedure.meta({ about: 'x' });
  for (const name of names) builder = STEPS[name](builder) as typeof builder;
  return t.router({
    it: builder.query(({ ctx, input, ...call }) => {
      ctx.seen.push({ input, added: ctx.added, names: Object.keys(call).toSorted() });
      return body();
    }),
  });
}

async function called(router: AnyTRPCRouter, input: unknown): Promise<unknown> {
  const seen: unknown[] = [];
  const getRawInput = () => Promise.resolve(input);
  try {
    const call = {
      router,
      path: 'it',
      type: 'query',
      ctx: { seen },
      getRawInput,
      signal: undefined,
      batchIndex: 0,
    };
    return { seen, data: await callTRPCProcedure({ ...call, type: 'query' }) };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { seen, code: error.code, message: error.message, cause: String(error.cause) };
  }
}

const names = fc
  .array(fc.constantFrom(...(Object.keys(STEPS) as StepName[])), { maxLength: 6 })
  // A procedure has one parser of its output.
  .filter((steps) => steps.filter((step) => step.startsWith('promises')).length < 2);
const inputs = fc.constantFrom(undefined, null, 5, { a: 1 }, { a: 1, b: 2 }, { a: 'x' });
const bodies = fc.constantFrom(
  () => 1,
  () => undefined,
  () => Promise.resolve('text'),
  () => {
    throw new TRPCError({ code: 'NOT_FOUND' });
  },
  () => Promise.reject(new RangeError('too far')),
);

it('our runner of procedures returns what the runner of tRPC returns, through any steps', async () => {
  await fc.assert(
    fc.asyncProperty(names, inputs, bodies, async (steps, input, body) => {
      const router = routerOf(steps, body);
      expect(await called(withOwnRunner(router), input)).toEqual(await called(router, input));
    }),
    { numRuns: 500 },
  );
});

it('our runner of procedures keeps the definition of each procedure', () => {
  const router = routerOf(['takes a'], () => 1);
  const theirs = proceduresOf(router)['it'];
  const own = proceduresOf(withOwnRunner(router))['it'];
  expect(own).not.toBe(theirs);
  expect(own?._def).toBe(theirs?._def);
});

it('our runner of procedures finds no procedure by a name that every object has', async () => {
  const router = withOwnRunner(routerOf([], () => 1));
  const call = { ctx: { seen: [] }, getRawInput: () => Promise.resolve(), signal: undefined, batchIndex: 0 };
  const asked = callTRPCProcedure({ ...call, router, path: 'toString', type: 'query' });
  await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('our runner of procedures does not treat a step without a result as an answer', async () => {
  const router = t.router({ it: t.procedure.use(() => undefined as never).query(() => 1) });
  await expect(called(withOwnRunner(router), undefined)).resolves.toMatchObject({
    code: 'INTERNAL_SERVER_ERROR',
  });
});
