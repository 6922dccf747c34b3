import { type AnyTRPCRouter, getTRPCErrorFromUnknown, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { mapProcedures } from './procedures-of.js';

/** What tRPC hands each step of a procedure, and what a step hands the next. */
interface StepCall {
  readonly ctx: object;
  readonly input: unknown;
  readonly getRawInput: () => Promise<unknown>;
}

type StepResult =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: TRPCError };

/** A guard, a parser of the input or output, or the body. */
type Step = (
  call: StepCall & {
    readonly meta: unknown;
    readonly next: (more?: Partial<StepCall>) => Promise<StepResult>;
  },
) => Promise<StepResult | undefined>;

const definition = z.object({
  middlewares: z.array(z.custom<Step>((step) => typeof step === 'function')).min(1),
  meta: z.unknown(),
  /** A caller of the procedure's own would have to be asked. */
  caller: z.undefined().optional(),
});

/**
 * The same router, whose procedures run their steps here. tRPC's own runner copies the call four times for each step, with
 * helpers of its bundler that define each property anew: 11 microseconds for three steps, where this takes 6 (ADR 44).
 */
export function withOwnRunner<Router extends AnyTRPCRouter>(router: Router): Router {
  return mapProcedures(router, ({ _def }) => {
    const { middlewares, meta } = definition.parse(_def);
    return runnerOf(middlewares, meta);
  });
}

function runnerOf(steps: readonly Step[], meta: unknown): (call: StepCall) => Promise<unknown> {
  async function run(index: number, call: StepCall): Promise<StepResult> {
    try {
      const next = (more?: Partial<StepCall>): Promise<StepResult> =>
        run(index + 1, more === undefined ? call : changed(call, more));
      const result = await steps[index]?.({ ...call, meta, input: call.input, next });
      if (result === undefined)
        throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'A step gave no result' });
      return result;
    } catch (cause) {
      return { ok: false, error: getTRPCErrorFromUnknown(cause) };
    }
  }
  return async (call) => {
    const result = await run(0, call);
    if (!result.ok) throw result.error;
    return result.data;
  };
}

function changed(call: StepCall, more: Partial<StepCall>): StepCall {
  return {
    ...call,
    ctx: more.ctx === undefined ? call.ctx : { ...call.ctx, ...more.ctx },
    input: 'input' in more ? more.input : call.input,
    getRawInput: more.getRawInput ?? call.getRawInput,
  };
}
