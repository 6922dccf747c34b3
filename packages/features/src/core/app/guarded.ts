import type { AccessReader } from '../access/access-reader.js';
import type { Context } from './context.js';

/**
 * A guard's single check, used every time: on the membership cache before and after the body, and on locked rows
 * before a write.
 * @throws {AppError} a refusal
 */
export type Judge<Extra> = (ctx: Context, access: AccessReader) => Promise<Extra>;

/** The context of an accepted call, and a function that runs the guard again. */
export type Guarded<Extra> = Context & Extra & { readonly judge: Judge<Extra> };
