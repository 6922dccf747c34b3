import { list } from './list.js';
import { remove } from './remove.js';
import { save } from './save.js';

/** What an account does about roles of its own. */
export const roleProcedures = { list, remove, save };
