import { inArray } from 'drizzle-orm';
import type { Database } from '../database.js';
import { checkForeignId, foreignKey, type ImportedForeignId, listForeignRows } from './foreign-ids.js';
import { listOwnersOf, listStaffToGrant } from './import-accounts.js';
import {
  checkConnection,
  checkOwner,
  checkPasskey,
  identityKey,
  listConnectionOwners,
  listMembersThere,
  listPasskeyHolders,
  listTotpHolders,
} from './import-identities.js';
import {
  checkImportedMember,
  holdersIn,
  listMemberHolders,
  type MemberHolder,
  type MemberHolders,
} from './import-members.js';
import type { ImportOutcome } from './insert-imported-rows.js';
import { importProblems, listIdsThere } from './insert-imported-rows.js';

interface ForecastMember extends MemberHolder {
  /** Whether they may get ways to sign in. */
  readonly isOwned: boolean;
}

/** Predicts the outcome of an import row by row, treating earlier rows as imported. Writes and locks nothing. */
export interface ImportForecast {
  members(rows: readonly ForecastMember[]): Promise<ImportOutcome[]>;
  accounts(rows: readonly { id: number; ownerId: number }[]): Promise<ImportOutcome[]>;
  memberships(rows: readonly { memberId: number; accountId: number }[]): Promise<ImportOutcome[]>;
  grants(rows: readonly { personnelId: number; accountId: number }[]): Promise<ImportOutcome[]>;
  subscriptions(rows: readonly { accountId: number }[]): Promise<ImportOutcome[]>;
  connections(
    rows: readonly { memberId: number; providerId: number; providerUserId: string }[],
  ): Promise<ImportOutcome[]>;
  totps(rows: readonly { memberId: number }[]): Promise<ImportOutcome[]>;
  passkeys(rows: readonly { memberId: number; credentialKey: string }[]): Promise<ImportOutcome[]>;
  foreignIds(rows: readonly Omit<ImportedForeignId, 'createdAtMs'>[]): Promise<ImportOutcome[]>;
}

/** Keeps the keys of every row to be added: about a hundred bytes or more each. */
export function createImportForecast(db: Database): ImportForecast {
  const added = {
    members: holdersIn<ForecastMember>([]),
    owners: new Map<number, number>(),
    memberships: new Set<string>(),
    grants: new Set<string>(),
    subscriptions: new Set<number>(),
    foreignIds: new Map<string, number>(),
    identities: new Map<string, number>(),
    totps: new Set<number>(),
    passkeys: new Map<string, number>(),
  };
  const { members, accounts, memberships, personnelGrants, subscriptions } = db.tables;

  const withAdded = (there: MemberHolders): MemberHolders => ({
    byId: (id) => there.byId(id) ?? added.members.byId(id),
    bySidKey: (key) => there.bySidKey(key) ?? added.members.bySidKey(key),
    byUsernameKey: (key) => there.byUsernameKey(key) ?? added.members.byUsernameKey(key),
    byEmailKey: (key) => there.byEmailKey(key) ?? added.members.byEmailKey(key),
  });

  const hasMember = async (ids: readonly number[]) => {
    const there = await listIdsThere(db, members, ids);
    return (id: number) => there.has(id) || added.members.byId(id) !== undefined;
  };

  const ownersOf = async (rows: readonly { readonly memberId: number }[]) => {
    const there = new Map(await listMembersThere(db, rows));
    for (const { memberId } of rows) {
      const known = added.members.byId(memberId);
      if (known !== undefined) there.set(memberId, known.isOwned);
    }
    return there;
  };

  const hasAccount = async (ids: readonly number[]) => {
    const there = await listIdsThere(db, accounts, ids);
    return (id: number) => there.has(id) || added.owners.has(id);
  };

  return {
    async members(rows) {
      const holders = withAdded(holdersIn(await listMemberHolders(db, rows)));
      return rows.map((row) => {
        const outcome = checkImportedMember(row, holders);
        if (outcome === undefined) added.members.add(row);
        return outcome ?? 'added';
      });
    },
    async accounts(rows) {
      if (rows.length === 0) return [];
      const ownerIds = rows.map((row) => row.ownerId);
      const owners = await listIdsThere(db, members, ownerIds);
      const there = await listOwnersOf(db, rows);
      return rows.map(({ id, ownerId }) => {
        if (!owners.has(ownerId) && added.members.byId(ownerId) === undefined)
          return importProblems.noOwner(ownerId);
        const known = there.get(id) ?? added.owners.get(id);
        if (known !== undefined) return known === ownerId ? 'there' : importProblems.accountIsAnother(id);
        added.owners.set(id, ownerId);
        return 'added';
      });
    },
    async memberships(rows) {
      if (rows.length === 0) return [];
      const memberIds = [...new Set(rows.map((row) => row.memberId))];
      const { memberId, accountId } = memberships;
      const known = await db
        .select({ memberId, accountId })
        .from(memberships)
        .where(inArray(memberId, memberIds));
      const there = new Set(known.map((row) => `${row.memberId} ${row.accountId}`));
      const people = await listIdsThere(db, members, memberIds);
      const isAccount = await hasAccount(rows.map((row) => row.accountId));
      return rows.map((row) => {
        const key = `${row.memberId} ${row.accountId}`;
        if (there.has(key) || added.memberships.has(key)) return 'there';
        if (!people.has(row.memberId) && added.members.byId(row.memberId) === undefined)
          return importProblems.noMember(row.memberId);
        if (!isAccount(row.accountId)) return importProblems.noAccount(row.accountId);
        added.memberships.add(key);
        return 'added';
      });
    },
    async grants(rows) {
      if (rows.length === 0) return [];
      const ids = [...new Set(rows.map((row) => row.personnelId))];
      const { personnelId, accountId } = personnelGrants;
      const staff = await listStaffToGrant(db, ids);
      const known = await db
        .select({ personnelId, accountId })
        .from(personnelGrants)
        .where(inArray(personnelId, ids));
      const there = new Set(known.map((row) => `${row.personnelId} ${row.accountId}`));
      const isAccount = await hasAccount(rows.map((row) => row.accountId));
      return rows.map((row) => {
        const key = `${row.personnelId} ${row.accountId}`;
        if (!staff.has(row.personnelId) && added.members.byId(row.personnelId)?.isPersonnel !== true)
          return importProblems.noStaff(row.personnelId);
        if (!isAccount(row.accountId)) return importProblems.noAccount(row.accountId);
        if (there.has(key) || added.grants.has(key)) return 'there';
        if (staff.get(row.personnelId) === false) return importProblems.unprovenStaff(row.personnelId);
        added.grants.add(key);
        return 'added';
      });
    },
    async connections(rows) {
      const people = await ownersOf(rows);
      const there = await listConnectionOwners(db, rows);
      return rows.map((row) => {
        const outcome =
          checkOwner(row, people) ?? checkConnection(row, there) ?? checkConnection(row, added.identities);
        if (outcome === undefined) added.identities.set(identityKey(row), row.memberId);
        return outcome ?? 'added';
      });
    },
    async totps(rows) {
      const people = await ownersOf(rows);
      const there = await listTotpHolders(db, rows);
      return rows.map((row) => {
        const { memberId } = row;
        const problem = checkOwner(row, people);
        if (problem !== undefined) return problem;
        if (there.has(memberId) || added.totps.has(memberId)) return 'there';
        added.totps.add(memberId);
        return 'added';
      });
    },
    async passkeys(rows) {
      const people = await ownersOf(rows);
      const there = await listPasskeyHolders(db, rows);
      return rows.map((row) => {
        const outcome =
          checkOwner(row, people) ?? checkPasskey(row, there) ?? checkPasskey(row, added.passkeys);
        if (outcome === undefined) added.passkeys.set(row.credentialKey, row.memberId);
        return outcome ?? 'added';
      });
    },
    async foreignIds(rows) {
      const isMember = await hasMember(rows.flatMap(({ memberId }) => memberId ?? []));
      const isAccount = await hasAccount(rows.flatMap(({ accountId }) => accountId ?? []));
      const there = await listForeignRows(db, rows);
      return rows.map((row) => {
        const { memberId, accountId } = row;
        if (memberId !== null && !isMember(memberId)) return importProblems.noMember(memberId);
        if (accountId !== null && !isAccount(accountId)) return importProblems.noAccount(accountId);
        const outcome = checkForeignId(row, there) ?? checkForeignId(row, added.foreignIds);
        if (outcome === undefined) added.foreignIds.set(foreignKey(row), memberId ?? accountId ?? 0);
        return outcome ?? 'added';
      });
    },
    async subscriptions(rows) {
      if (rows.length === 0) return [];
      const ids = rows.map((row) => row.accountId);
      const { accountId } = subscriptions;
      const known = await db.select({ accountId }).from(subscriptions).where(inArray(accountId, ids));
      const there = new Set(known.map((row) => row.accountId));
      const isAccount = await hasAccount(ids);
      return rows.map((row) => {
        if (!isAccount(row.accountId)) return importProblems.noAccount(row.accountId);
        if (there.has(row.accountId) || added.subscriptions.has(row.accountId)) return 'there';
        added.subscriptions.add(row.accountId);
        return 'added';
      });
    },
  };
}
