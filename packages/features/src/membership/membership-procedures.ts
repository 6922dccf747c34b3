import { changeRole } from './change-role.js';
import { leave } from './leave.js';
import { remove } from './remove.js';

/** The procedures of members for the memberships of their account. */
export const membershipProcedures = { changeRole, leave, remove };
