import { get } from './get.js';
import { set } from './set.js';

/** The procedures about the level that an account asks of sessions. */
export const accountPolicyProcedures = { get, set };
