import { inArray } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';
import type { ImportOutcome } from './insert-imported-rows.js';
import { importProblems, insertNew } from './insert-imported-rows.js';
import type { EnrolmentRows } from './insert-member.js';

/** The fields in which an imported member may conflict with an existing one. */
interface MemberKeys {
  readonly id: number;
  readonly sidKey: string;
  readonly usernameKey: string;
  readonly emailKey: string | null;
}

/** An existing member, by the same keys. */
export interface MemberHolder extends MemberKeys {
  readonly isPersonnel: boolean;
}

/** The members with one of these ids, usernames, login identifiers or addresses, which may be used in place of each other. */
export async function listMemberHolders(
  db: Pick<Database, 'select' | 'tables'>,
  rows: readonly MemberKeys[],
): Promise<MemberHolder[]> {
  if (rows.length === 0) return [];
  const { id, sidKey, usernameKey, emailKey, isPersonnel } = db.tables.members;
  const names = [...new Set(rows.flatMap((row) => [row.sidKey, row.emailKey ?? row.sidKey]))];
  const found: MemberHolder[] = [];
  // One query per index, because a database uses no index for a combined condition.
  for (const isOneOf of [
    inArray(
      id,
      rows.map((row) => row.id),
    ),
    inArray(sidKey, names),
    inArray(emailKey, names),
    inArray(
      usernameKey,
      rows.map((row) => row.usernameKey),
    ),
  ])
    found.push(
      ...(await db
        .select({ id, sidKey, usernameKey, emailKey, isPersonnel })
        .from(db.tables.members)
        .where(isOneOf)),
    );
  return found;
}

/** The fields that find members, by the latest one added. Id and login identifier are always unique to a member. */
export interface MemberHolders<Row extends MemberKeys = MemberKeys> {
  byId(id: number): Row | undefined;
  bySidKey(key: string): Row | undefined;
  byUsernameKey(key: string): Row | undefined;
  byEmailKey(key: string): Row | undefined;
}

/** Members by their keys, to which others are added. */
interface MemberIndex<Row extends MemberKeys = MemberKeys> extends MemberHolders<Row> {
  add(row: Row): void;
}

/**
 * Whether an imported member exists, or whom they clash with. Undefined if they can be added. People sign in by login identifier
 * or address, so neither may equal the other one of another member.
 */
export function checkImportedMember(row: MemberKeys, holders: MemberHolders): ImportOutcome | undefined {
  const { id, sidKey, usernameKey, emailKey } = row;
  const known = holders.byId(id);
  if (known !== undefined) return known.sidKey === sidKey ? 'there' : importProblems.memberIsAnother(id);
  const bySid = holders.bySidKey(sidKey);
  if (bySid !== undefined) return importProblems.sidIsTaken(bySid.id);
  const byUsername = holders.byUsernameKey(usernameKey);
  if (byUsername !== undefined) return importProblems.usernameIsTaken(byUsername.id);
  const byAddress = holders.byEmailKey(sidKey);
  if (byAddress !== undefined) return importProblems.sidIsAddress(byAddress.id);
  if (emailKey === null) return undefined;
  const byEmail = holders.byEmailKey(emailKey);
  if (byEmail !== undefined) return importProblems.emailIsTaken(byEmail.id);
  const byName = holders.bySidKey(emailKey);
  return byName === undefined ? undefined : importProblems.emailIsSid(byName.id);
}

/** The existing members, by field. */
export function holdersIn<Row extends MemberKeys>(found: readonly Row[]): MemberIndex<Row> {
  const [byId, bySid, byUsername, byEmail] = [
    new Map<number, Row>(),
    new Map<string, Row>(),
    new Map<string, Row>(),
    new Map<string, Row>(),
  ];
  const add = (row: Row): void => {
    byId.set(row.id, row);
    bySid.set(row.sidKey, row);
    byUsername.set(row.usernameKey, row);
    if (row.emailKey !== null) byEmail.set(row.emailKey, row);
  };
  for (const row of found) add(row);
  return {
    add,
    byId: (id) => byId.get(id),
    bySidKey: (key) => bySid.get(key),
    byUsernameKey: (key) => byUsername.get(key),
    byEmailKey: (key) => byEmail.get(key),
  };
}

/** A member of another system. They keep their id, because tokens contain it. */
export interface ImportedMember extends Omit<EnrolmentRows['member'], 'createdByPartnerId'> {
  id: number;
  isPersonnel: boolean;
  isDeleted: boolean;
  deletedAtMs: number | null;
  /** The base role that a banned member has without the ban. Their `roleType` is 11. */
  bannedRoleType?: number | null;
  bannedAtMs?: number | null;
  defaultPaymentId: number;
  /** Bcrypt rounds of one comparison; null for a hash of our own cost. */
  passwordRounds?: number | null;
  /** Milliseconds that a slow machine takes to compare the hash of another system; null for bcrypt. */
  passwordDelayMs?: number | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Adds new members and leaves existing ones unchanged. The outcomes are in the order of the rows. */
export async function importMembers(
  tx: AccessTransaction,
  rows: readonly ImportedMember[],
): Promise<ImportOutcome[]> {
  if (rows.length === 0) return [];
  const known = holdersIn<MemberKeys>(await listMemberHolders(tx, rows));
  return insertNew(tx, tx.tables.members, rows, {
    check(row) {
      const outcome = checkImportedMember(row, known);
      // No index compares login identifiers with addresses.
      if (outcome === undefined) known.add(row);
      return outcome;
    },
    checkAgain: async (row) => checkImportedMember(row, holdersIn(await listMemberHolders(tx, [row]))),
  });
}
