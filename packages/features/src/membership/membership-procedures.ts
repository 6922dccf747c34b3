import { changeRole } from './change-role.js';
import { leave } from './leave.js';
import { remove } from './remove.js';

/** What members do about who is in their account. */
export const membershipProcedures = { changeRole, leave, remove };
