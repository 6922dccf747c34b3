import type { Context } from './context.js';
import type { Guarded, Judge } from './guarded.js';

/**
 * Asks the guard of a call again, by what is true now: before something begins that no transaction holds, as a program
 * or a provider, and before its answer is told.
 * @throws {AppError} a refusal
 */
export async function judgeAgain<Extra extends object>(
  ctx: Context & { readonly judge: Judge<Extra> },
): Promise<Guarded<Extra>> {
  return { ...ctx, ...(await ctx.judge(ctx, ctx.services.access)) };
}
