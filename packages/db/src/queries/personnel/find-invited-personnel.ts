import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A member of staff who was invited and has not joined. */
export interface InvitedPersonnel {
  id: number;
  email: string | null;
  passwordChangedAtMs: number | null;
  /** False where nobody knows the password they were created with. */
  hasPassword: boolean;
}

/**
 * The member of staff, a disabled one too, unless they have proved their address, got a password in person, or signed in. A
 * confirmed address counts only with a password that somebody knows: the click in the mail may be older than the invitation.
 */
export async function findInvitedPersonnel(
  db: Database,
  personnelId: number,
): Promise<InvitedPersonnel | undefined> {
  const { members } = db.tables;
  const { id, email, passwordChangedAtMs, hasPassword } = members;
  const [row] = await db
    .select({ id, email, passwordChangedAtMs, hasPassword })
    .from(members)
    .where(
      and(
        eq(id, personnelId),
        or(eq(members.isPersonnel, true), isNotNull(members.personnelEndedAtMs)),
        or(isNull(members.emailConfirmedAtMs), eq(hasPassword, false)),
        isNull(members.ownerProvenAtMs),
        isNull(members.lastLoginAtMs),
      ),
    );
  return row;
}
