import { list } from './list.js';
import { remove } from './remove.js';
import { save } from './save.js';

/** The procedures for an account's custom roles. */
export const roleProcedures = { list, remove, save };
