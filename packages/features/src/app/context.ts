import type { RequestContext } from '@gatehouse/http/server/request-context';
import type { Kit } from './kit.js';

/** What every procedure receives; the guards add `caller`, `account` and their like to it. */
export interface Context extends RequestContext {
  readonly kit: Kit;
}
