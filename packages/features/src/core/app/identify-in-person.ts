import type { AccessReader } from '../access/access-reader.js';
import { type Caller, identifyCaller } from './caller.js';
import type { Context } from './context.js';
import { requireLevel } from './level.js';
import { requireInPerson } from './require-in-person.js';

/**
 * The caller of a public procedure that takes a session where nothing else says who calls.
 * @throws {AppError} as `identifyCaller`, `requireInPerson` and `requireLevel`
 */
export async function identifyInPerson(ctx: Context, access: AccessReader): Promise<Caller> {
  const caller = await identifyCaller(ctx, access);
  requireInPerson(caller);
  requireLevel(ctx, caller);
  return caller;
}
