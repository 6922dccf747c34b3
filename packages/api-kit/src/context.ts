import type { Call } from './call.js';
import type { Kit } from './kit.js';

/** What every procedure receives; the guards add `caller`, `account` and their like to it. */
export interface Context {
  readonly call: Call;
  readonly kit: Kit;
}
