import { and, count, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The number of open invitations by one inviter to one role. */
export interface OpenInvitations {
  inviterId: number;
  roleType: number;
  customRoleId: number | null;
  count: number;
}

/** The open invitations of an account that have not expired, by inviter and role. */
export async function countOpenInvitations(
  db: Database,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<OpenInvitations[]> {
  const { invitations } = db.tables;
  const { inviterId, roleType, customRoleId } = invitations;
  return db
    .select({ inviterId, roleType, customRoleId, count: count() })
    .from(invitations)
    .where(
      and(
        eq(invitations.accountId, accountId),
        eq(invitations.status, 'open'),
        gt(invitations.expiresAtMs, nowMs),
      ),
    )
    .groupBy(inviterId, roleType, customRoleId);
}
