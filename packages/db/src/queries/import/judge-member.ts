import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import type { MemberKeys } from './list-member-holders.js';

/** The fields that find members, by the latest one added. Id and login identifier are always unique to a member. */
export interface MemberHolders<Row extends MemberKeys = MemberKeys> {
  byId(id: number): Row | undefined;
  bySidKey(key: string): Row | undefined;
  byUsernameKey(key: string): Row | undefined;
  byEmailKey(key: string): Row | undefined;
}

/** Members by their keys, to which others are added. */
export interface MemberIndex<Row extends MemberKeys = MemberKeys> extends MemberHolders<Row> {
  add(row: Row): void;
}

/**
 * Whether an imported member exists, or whom they clash with. Undefined if they can be added. People sign in by login
 * identifier or address, so neither may be the other of somebody else.
 */
export function judgeMember(row: MemberKeys, holders: MemberHolders): ImportOutcome | undefined {
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
