import type { AccessReader } from '../access/access-reader.js';
import type { Context } from './context.js';

/**
 * The one judgement of a guard, made as often as it is asked: by the directory before and after the body, and by rows
 * that are held when something is written.
 * @throws {AppError} a refusal
 */
export type Judge<Extra> = (ctx: Context, access: AccessReader) => Promise<Extra>;

/** The context of a call that a guard has let through, and what asks the guard again. */
export type Guarded<Extra> = Context & Extra & { readonly judge: Judge<Extra> };
