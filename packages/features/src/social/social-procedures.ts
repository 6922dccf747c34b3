import { connect } from './connect.js';
import { finish } from './finish.js';
import { list } from './list.js';
import { remove } from './remove.js';

/** A member's procedures for their connections, in both deployments. */
export const socialProcedures = { connect, finish, list, remove };
