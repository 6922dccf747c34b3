import type { Roles } from '@gatehouse/auth-core';
import { type Database, type LockedMember, listAudit } from '@gatehouse/db';
import { z } from 'zod';

const archiving = z.object({
  before: z.object({ roleType: z.int() }),
  after: z.object({ roleType: z.int() }),
});

/** So many of the newest lines about a member are looked through. */
const LINES = 200;

/**
 * The base role that a ban leaves a member with. A ban of the release before, or by hand, did not record it: then the audit
 * log tells what they had before role 11, and the lowest role stands for what nobody knows.
 */
export async function formerRole(
  db: Database,
  roles: Roles,
  { id, roleType }: LockedMember,
): Promise<number> {
  const { archived, userMember } = roles.id;
  if (roleType !== archived) return roleType;
  const lines = await listAudit(db, { subjectKind: 'member', subjectId: String(id) }, { limit: LINES });
  for (const line of lines) {
    const { success, data } = archiving.safeParse(line);
    if (success && data.after.roleType === archived && data.before.roleType !== archived) {
      return data.before.roleType;
    }
  }
  return userMember;
}
