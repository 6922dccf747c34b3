import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A member of staff who was invited and has not joined. */
export interface InvitedPersonnel {
  id: number;
  email: string | null;
  passwordChangedAtMs: number | null;
}

/** The member of staff, unless they have proved their address, got a password in person, or signed in. */
export async function findInvitedPersonnel(
  db: Database,
  personnelId: number,
): Promise<InvitedPersonnel | undefined> {
  const { members } = db.tables;
  const { id, email, passwordChangedAtMs } = members;
  const [row] = await db
    .select({ id, email, passwordChangedAtMs })
    .from(members)
    .where(
      and(
        eq(id, personnelId),
        eq(members.isPersonnel, true),
        isNull(members.emailConfirmedAtMs),
        isNull(members.ownerProvenAtMs),
        isNull(members.lastLoginAtMs),
      ),
    );
  return row;
}
