import { approve } from './approve.js';
import { cancel } from './cancel.js';
import { list } from './list.js';
import { open } from './open.js';

/** How staff of base role 0 let members back in who lost every second factor. */
export const recoveryProcedures = { approve, cancel, list, open };
