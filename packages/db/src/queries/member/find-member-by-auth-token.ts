import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isActiveMember } from '../access/is-active-member.js';
import { type MemberRow, memberColumns } from '../access/member-columns.js';

/** The live staff member whose unexpired auth_token has this digest. */
export async function findMemberByAuthToken(
  db: Database,
  { digest, nowMs }: { digest: string; nowMs: number },
): Promise<MemberRow | undefined> {
  const { members } = db.tables;
  const [row] = await db
    .select(memberColumns(db.tables))
    .from(members)
    .where(
      and(
        eq(members.authTokenDigest, digest),
        gt(members.authTokenExpiresAtMs, nowMs),
        eq(members.isPersonnel, true),
        isActiveMember(db.tables, nowMs),
      ),
    );
  return row;
}
