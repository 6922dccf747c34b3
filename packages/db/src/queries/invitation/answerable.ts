import { and, eq, gt, or, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { Tables } from '../../tables/define-tables.js';

/** The invitations that somebody can accept: open ones and, by their link until it expires, declined ones. */
export function isAnswerable({ invitations }: Tables, nowMs: number): SQL | undefined {
  const { status, expiresAtMs } = invitations;
  return or(eq(status, 'open'), and(eq(status, 'declined'), gt(expiresAtMs, nowMs)));
}

/** Whether the address was invited to the account again after an invitation. */
export async function hasLaterInvitation(
  db: Database,
  { id, accountId, emailKey }: { id: number; accountId: number; emailKey: string },
): Promise<boolean> {
  const { invitations } = db.tables;
  const [later] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(eq(invitations.emailKey, emailKey), gt(invitations.id, id), eq(invitations.accountId, accountId)),
    )
    .limit(1);
  return later !== undefined;
}
