import type { Context } from './context.js';
import type { Judge } from './guarded.js';

/**
 * The first verdict on a call. Where staff act for a member, the call is a line of the audit log before anything else
 * happens, refused ones included; without the line there is no answer but 503.
 * @param path what is called
 * @throws {AppError} a refusal
 * @throws {DatabaseUnavailableError} when the line cannot be written
 */
export async function judgeFirst<Extra extends object>(
  ctx: Context,
  judge: Judge<Extra>,
  path: string,
): Promise<Extra> {
  try {
    return await judge(ctx, ctx.services.access);
  } finally {
    const { acting } = ctx.call.facts;
    if (acting !== undefined) await ctx.services.recordActing(ctx.call, acting, path);
  }
}
