import { AppError, type Roles } from '@gatehouse/auth-core';
import { findListedInvitation, type ListedInvitation } from '@gatehouse/db/queries/read-invitations';
import { z } from 'zod';
import { personName } from '../core/member-view.js';
import {
  type AuthorizeInvitation,
  type InvitationState,
  invitationState,
  stateNow,
} from './invitation-state.js';

/** An invitation as inviters see it. Only the mail has the link. */
export const invitationView = z
  .object({
    id: z.int(),
    email: z.string(),
    roleType: z.int(),
    role: z.string(),
    customRoleId: z.int().nullable(),
    state: invitationState,
    /** The state of the newest mail. Only staff see `held`, if the address had enough mails; to others it is `queued`. */
    delivery: z.enum(['queued', 'sent', 'failed', 'held']),
    invitedBy: z.object({ id: z.int(), name: z.string() }),
    createdAt: z.iso.datetime(),
    /** When it was last sent; null if that is unknown. */
    lastSentAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' });

export function toInvitationView(
  row: ListedInvitation,
  roles: Roles,
  state: InvitationState,
  reader: { readonly isPersonnel: boolean },
): z.output<typeof invitationView> {
  const { inviterId, inviterFirstName, inviterLastName, inviterUsername, lastSentAtMs } = row;
  return {
    id: row.id,
    email: row.email,
    ...roleShown(row, roles),
    state,
    delivery: deliveryOf(row, reader),
    invitedBy: {
      id: inviterId,
      name: personName({
        firstName: inviterFirstName ?? '',
        lastName: inviterLastName ?? '',
        username: inviterUsername ?? '',
      }),
    },
    createdAt: new Date(row.createdAtMs).toISOString(),
    lastSentAt: lastSentAtMs === null ? null : new Date(lastSentAtMs).toISOString(),
    expiresAt: new Date(row.expiresAtMs).toISOString(),
  };
}

/** The offered role, under the names of the contract. */
export function roleShown(
  row: Pick<ListedInvitation, 'roleType' | 'customRoleId' | 'customRoleName' | 'customRoleType'>,
  roles: Roles,
): { roleType: number; role: string; customRoleId: number | null } {
  const roleType = row.customRoleType ?? row.roleType;
  return { roleType, role: row.customRoleName ?? roles.labelOf(roleType), customRoleId: row.customRoleId };
}

/** A mail that is no longer stored was sent: failed mails are kept as long as invitations. */
function deliveryOf(
  { mailId, mailState }: ListedInvitation,
  { isPersonnel }: { readonly isPersonnel: boolean },
): 'queued' | 'sent' | 'failed' | 'held' {
  if (mailId === null || mailState === 'held') return isPersonnel ? 'held' : 'queued';
  switch (mailState) {
    case 'pending':
      return 'queued';
    case 'dead':
      return 'failed';
    default:
      return 'sent';
  }
}

/** An invitation as inviters see it. */
export async function shownInvitation(
  authorize: AuthorizeInvitation,
  invitationId: number,
  reader: { readonly isPersonnel: boolean },
): Promise<z.output<typeof invitationView>> {
  const row = await findListedInvitation(authorize.db, invitationId);
  if (!row) throw new AppError('not_found');
  return toInvitationView(row, authorize.roles, await stateNow(authorize, row), reader);
}
