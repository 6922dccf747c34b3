import { acceptInvitation } from './accept-invitation.js';
import { closeOwnAccount } from './close-account.js';
import { createInvitation } from './create-invitation.js';
import { declineInvitation } from './decline-invitation.js';
import { previewInvitation } from './invitation-link.js';
import { joinAccount } from './join-by-invitation.js';
import { listAwayMembers } from './list-away-members.js';
import { listAccountInvitations, listMyInvitations } from './list-invitations.js';
import { listRoles, removeRole, saveRole } from './manage-custom-roles.js';
import { changeRole, leaveAccount, removeFromAccount } from './manage-members.js';
import { createAccount, listMyAccounts, renameAccount, restoreOwnAccount } from './own-accounts.js';
import { resendInvitation } from './resend-invitation.js';
import { revokeInvitation } from './revoke-invitation.js';
import { decideTakeover, listTakeovers } from './takeover.js';
import { transferOwnership } from './transfer-ownership.js';

/** The procedures of members for their own accounts. */
export const accountProcedures = {
  close: closeOwnAccount,
  create: createAccount,
  listMine: listMyAccounts,
  rename: renameAccount,
  restore: restoreOwnAccount,
  transferOwnership,
};

/** The procedures of invitations, for inviters and for invited people. */
export const invitationProcedures = {
  accept: acceptInvitation,
  create: createInvitation,
  decline: declineInvitation,
  join: joinAccount,
  list: listAccountInvitations,
  listMine: listMyInvitations,
  preview: previewInvitation,
  resend: resendInvitation,
  revoke: revokeInvitation,
};

/** The procedures of members for the memberships of their account. */
export const membershipProcedures = {
  changeRole,
  leave: leaveAccount,
  listAway: listAwayMembers,
  remove: removeFromAccount,
};

/** The procedures for an account's custom roles. */
export const roleProcedures = { list: listRoles, remove: removeRole, save: saveRole };

/** The decisions of an owner who proved an address that another person had registered. */
export const takeoverProcedures = { decide: decideTakeover, list: listTakeovers };
