import type { Roles } from '@gatehouse/auth-core';
import { type Database, listAudit } from '@gatehouse/db';
import { z } from 'zod';

const state = z.object({ roleType: z.int() });
const change = z.object({ before: state.nullish().catch(null), after: state });

/** How many of the newest lines about a member are searched. */
const LINES = 200;

/**
 * The base role of a member after a ban. Bans by the release before, or by hand, did not record it: then the
 * newest line of the audit log about the role has it: the role before 11 or, if the ban was by hand, the one
 * given last. If that is unknown too, it is the lowest role.
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
    const { before, after } = change.safeParse(line).data ?? {};
    const known = after?.roleType === archived ? before?.roleType : after?.roleType;
    if (known !== undefined && known !== archived) return known;
  }
  return userMember;
}
