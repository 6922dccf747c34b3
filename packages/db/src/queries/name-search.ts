import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';

/** The length of one part of a name. Longer search texts are compared again afterwards. */
export const PART_LENGTH = 32;

/** The suffix of a name from each character on, with the number of characters before it. */
function nameParts(name: string): { part: string; position: number }[] {
  const characters = [...name];
  return characters.map((_, position) => ({
    part: characters.slice(position, position + PART_LENGTH).join(''),
    position,
  }));
}

/** Writes a member's name into each of their memberships, for the index over an account's members. */
async function setMembershipNames(tx: Database, memberId: number, name: string | null): Promise<void> {
  const { memberships } = tx.tables;
  await tx.write(tx.update(memberships).set({ name }).where(eq(memberships.memberId, memberId)));
}

const ROWS_PER_STATEMENT = 500;

const STATEMENTS_PER_TRANSACTION = 40;

/**
 * Inserts the parts of very many names in the table's own order. For members inserted with `searchedName` set;
 * it is not one transaction.
 */
export async function insertNameParts(
  db: Database,
  members: readonly { id: number; usernameKey: string }[],
): Promise<void> {
  const rows = members.flatMap(({ id, usernameKey }) =>
    nameParts(usernameKey).map(({ part, position }): PartRow => [part, id, position]),
  );
  rows.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const step = ROWS_PER_STATEMENT * STATEMENTS_PER_TRANSACTION;
  for (let from = 0; from < rows.length; from += step) {
    await db.transaction(async (tx) => {
      for (let at = from; at < Math.min(from + step, rows.length); at += ROWS_PER_STATEMENT) {
        await tx.write(insertion(rows.slice(at, at + ROWS_PER_STATEMENT)));
      }
    });
  }
}

type PartRow = [part: string, memberId: number, position: number];

/** Written by hand: the query builder takes longer to build it than the database takes to run it. */
function insertion(rows: readonly PartRow[]) {
  const values = rows.map(() => '(?, ?, ?)').join(', ');
  const statement = {
    sql: `insert into member_name_parts (part, member_id, position) values ${values}`,
    params: rows.flat(),
  };
  return { toSQL: () => statement };
}

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

/**
 * Adds up to `limit` members to the substring search who are not in it yet, as after an upgrade. Returns how
 * many it added.
 */
export async function indexNewNames(db: Database, limit: number): Promise<number> {
  const { members } = db.tables;
  const unknown = await db
    .select({ id: members.id })
    .from(members)
    .where(and(isNull(members.searchedName), eq(members.isDeleted, false)))
    .limit(limit);
  return db.transaction((tx) =>
    indexMemberNames(
      tx,
      unknown.map(({ id }) => id),
    ),
  );
}

/**
 * Writes the searched form of up to `limit` last names that have none, as after an import or an upgrade.
 * Returns how many it wrote. If a name changes meanwhile, that change writes it.
 */
export async function indexLastNames(
  db: Database,
  { limit, keyOf }: { limit: number; keyOf: (lastName: string) => string },
): Promise<number> {
  const { members } = db.tables;
  const { id, lastName, lastNameKey, isDeleted } = members;
  const unknown = await db
    .select({ id, lastName })
    .from(members)
    .where(and(isNull(lastNameKey), eq(isDeleted, false)))
    .limit(limit);
  if (unknown.length === 0) return 0;
  return db.transaction(async (tx) => {
    let learned = 0;
    for (const member of unknown) {
      learned += await tx.write(
        tx
          .update(members)
          .set({ lastNameKey: keyOf(member.lastName) })
          .where(and(eq(id, member.id), eq(lastName, member.lastName), isNull(lastNameKey))),
      );
    }
    return learned;
  });
}
