import { add } from './add.js';
import { addOptions } from './add-options.js';
import { list } from './list.js';
import { remove } from './remove.js';
import { rename } from './rename.js';

/** A member's passkeys, in both deployments. */
export const passkeyProcedures = { addOptions, add, list, rename, remove };
