import { accept } from './accept.js';
import { create } from './create.js';
import { decline } from './decline.js';
import { join } from './join.js';
import { list } from './list.js';
import { listMine } from './list-mine.js';
import { preview } from './preview.js';
import { resend } from './resend.js';
import { revoke } from './revoke.js';

/** The procedures of invitations, for inviters and for invited people. */
export const invitationProcedures = {
  accept,
  create,
  decline,
  join,
  list,
  listMine,
  preview,
  resend,
  revoke,
};
