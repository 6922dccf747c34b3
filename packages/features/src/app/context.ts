import type { RequestContext } from '@gatehouse/http/server/request-context';
import type { Services } from './services.js';

/** What every procedure receives; the guards add `caller`, `account` and their like to it. */
export interface Context extends RequestContext {
  readonly services: Services;
}
