import type { Kit } from './kit.js';
import type { RequestContext } from './request-context.js';

/** What every procedure receives; the guards add `caller`, `account` and their like to it. */
export interface Context extends RequestContext {
  readonly kit: Kit;
}
