import type { RequestContext } from '@gatehouse/http/server/request-context';
import type { Services } from './services.js';

/** The context of every procedure. Guards add `caller`, `account` and similar fields. */
export interface Context extends RequestContext {
  readonly services: Services;
}
