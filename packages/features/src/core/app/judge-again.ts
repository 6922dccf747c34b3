import type { Context } from './context.js';
import type { Guarded, Judge } from './guarded.js';

/**
 * Runs a call's guard again on the current state: before an action outside the transaction (a program or a
 * provider) begins, and before its answer is sent.
 * @throws {AppError} a refusal
 */
export async function judgeAgain<Extra extends object>(
  ctx: Context & { readonly judge: Judge<Extra> },
): Promise<Guarded<Extra>> {
  return { ...ctx, ...(await ctx.judge(ctx, ctx.services.access)) };
}
