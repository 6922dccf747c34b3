import { changeRole } from './change-role.js';
import { leave } from './leave.js';
import { listAway } from './list-away.js';
import { remove } from './remove.js';

/** The procedures of members for the memberships of their account. */
export const membershipProcedures = { changeRole, leave, listAway, remove };
