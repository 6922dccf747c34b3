import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../../../database.js';
import { nameParts } from './name-parts.js';
import { setMembershipNames } from './set-membership-names.js';

interface NamedMember {
  id: number;
  usernameKey: string;
  searchedName: string | null;
  isDeleted: boolean;
}

/**
 * Updates the substring search for these members: current names are indexed, deleted members removed, known ones
 * skipped. The caller that advances `searchedName` writes the parts, so two calls never both write them. Returns
 * how many members changed.
 */
export async function indexMemberNames(tx: Database, memberIds: readonly number[]): Promise<number> {
  if (memberIds.length === 0) return 0;
  const { members } = tx.tables;
  const { id, usernameKey, searchedName, isDeleted } = members;
  const rows = await tx
    .select({ id, usernameKey, searchedName, isDeleted })
    .from(members)
    .where(inArray(id, [...memberIds]));
  let changed = 0;
  for (const member of rows) {
    if (member.searchedName !== nameToSearch(member) && (await indexName(tx, member))) changed += 1;
  }
  return changed;
}

function nameToSearch({ isDeleted, usernameKey }: NamedMember): string | null {
  return isDeleted ? null : usernameKey;
}

async function indexName(tx: Database, member: NamedMember): Promise<boolean> {
  const { members, memberNameParts } = tx.tables;
  const { id: memberId, searchedName } = member;
  const name = nameToSearch(member);
  const moved = await tx.write(
    tx
      .update(members)
      .set({ searchedName: name })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.usernameKey, member.usernameKey),
          eq(members.isDeleted, member.isDeleted),
          searchedName === null ? isNull(members.searchedName) : eq(members.searchedName, searchedName),
        ),
      ),
  );
  if (moved === 0) return false;
  await setMembershipNames(tx, memberId, name);
  if (searchedName !== null) {
    const parts = nameParts(searchedName).map(({ part }) => part);
    await tx.write(
      tx
        .delete(memberNameParts)
        .where(and(inArray(memberNameParts.part, parts), eq(memberNameParts.memberId, memberId))),
    );
  }
  if (name !== null) {
    await tx.insertMany(
      memberNameParts,
      nameParts(name).map((row) => ({ memberId, ...row })),
    );
  }
  return true;
}
