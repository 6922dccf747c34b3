import type { ImportOutcome } from './import-outcome.js';
import { importProblems } from './import-problems.js';
import type { MemberKeys } from './list-member-holders.js';

/** The fields that find existing members. The first two are always unique to a member. */
export interface MemberHolders {
  byId(id: number): MemberKeys | undefined;
  bySidKey(key: string): MemberKeys | undefined;
  byUsernameKey(key: string): MemberKeys | undefined;
  byEmailKey(key: string): MemberKeys | undefined;
}

/** Whether an imported member exists, or whom they clash with. Undefined if they can be added. */
export function judgeMember(row: MemberKeys, holders: MemberHolders): ImportOutcome | undefined {
  const known = holders.byId(row.id);
  if (known !== undefined)
    return known.sidKey === row.sidKey ? 'there' : importProblems.memberIsAnother(row.id);
  const bySid = holders.bySidKey(row.sidKey);
  if (bySid !== undefined) return importProblems.sidIsTaken(bySid.id);
  const byUsername = holders.byUsernameKey(row.usernameKey);
  if (byUsername !== undefined) return importProblems.usernameIsTaken(byUsername.id);
  const byEmail = row.emailKey === null ? undefined : holders.byEmailKey(row.emailKey);
  return byEmail === undefined ? undefined : importProblems.emailIsTaken(byEmail.id);
}

/** The existing members, by field. */
export function holdersIn(found: readonly MemberKeys[]): MemberHolders {
  const index = (keyOf: (row: MemberKeys) => string | number | null) =>
    new Map(found.map((row) => [keyOf(row), row]));
  const [byId, bySid, byUsername, byEmail] = [
    index((row) => row.id),
    index((row) => row.sidKey),
    index((row) => row.usernameKey),
    index((row) => row.emailKey),
  ];
  return {
    byId: (id) => byId.get(id),
    bySidKey: (key) => bySid.get(key),
    byUsernameKey: (key) => byUsername.get(key),
    byEmailKey: (key) => byEmail.get(key),
  };
}
