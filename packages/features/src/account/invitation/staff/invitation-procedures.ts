import { create } from './create.js';
import { list } from './list.js';
import { resend } from './resend.js';
import { revoke } from './revoke.js';

/** The procedures of invitations for staff. */
export const invitationProcedures = { create, list, resend, revoke };
