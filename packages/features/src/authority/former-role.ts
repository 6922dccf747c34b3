import type { Roles } from '@gatehouse/auth-core';
import { type Database, listAudit } from '@gatehouse/db';
import { z } from 'zod';

const archiving = z.object({
  before: z.object({ roleType: z.int() }),
  after: z.object({ roleType: z.int() }),
});

/** How many of the newest lines about a member are searched. */
const LINES = 200;

/**
 * The base role of a member after a ban. Bans by the release before, or by hand, did not record it: then the
 * audit log has the role before 11. If that is unknown too, it is the lowest role.
 */
export async function formerRole(
  db: Database,
  roles: Roles,
  { id, roleType }: { readonly id: number; readonly roleType: number },
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
