import { and, asc, eq, gt, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { TransactionConflictError } from '../database-errors.js';
import { setAccountPolicy } from './account-policy.js';
import { type AccessTransaction, changeAccess } from './change-access.js';
import { type ConsentRow, removeConsentsIn, removeConsentsOf } from './consents.js';
import { isAnswerable } from './invitations.js';
import { lockAccountRows } from './lock-rows.js';
import { NO_PENDING_ADDRESS, newPassword } from './member-columns.js';
import { removeLoneFactors } from './member-factors.js';
import { inAccountScope, type MemberScope } from './member-scope.js';
import { inIds } from './paging.js';
import { endAllSessions, type KeptSession } from './revoke-sessions.js';

/**
 * Locks the accounts that only an unproven member has owned, before the member's own row is locked. A member whose owner
 * is proven has none.
 * @returns their ids, for `takeMemberOver`
 */
export async function lockPlantedAccounts(tx: Database, memberId: number): Promise<readonly number[]> {
  const { members } = tx.tables;
  const [member] = await tx
    .select({ ownerProvenAtMs: members.ownerProvenAtMs })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined || member.ownerProvenAtMs !== null) return [];
  const accountIds = await listPlantedAccountIds(tx, memberId);
  await lockAccountRows(tx, accountIds, 'exclusive');
  return accountIds;
}

/** The accounts that a member owns and opened, closed ones too: their owner let in everybody who is in them. */
async function listPlantedAccountIds(tx: Database, memberId: number): Promise<number[]> {
  const { id, ownerId, openedById, erasedAtMs } = tx.tables.accounts;
  const rows = await tx
    .select({ id })
    .from(tx.tables.accounts)
    .where(and(eq(ownerId, memberId), or(isNull(openedById), eq(openedById, memberId)), isNull(erasedAtMs)))
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}

const NO_POLICY = { requiredLevel: 1, requiredFromMs: null, requiredUntilThen: 1 };

/** The access granted by a person who had registered another person's address. */
interface Planted {
  /** How many invitations were revoked. */
  invitations: number;
  /** The memberships of others that were switched off, by account. */
  memberships: {
    accountId: number;
    memberId: number;
    roleType: number;
    /** Ended with a deletion, so that it gave no access. */
    isDeleted: boolean;
  }[];
  /** The accounts that required a level of authentication, and which. They require none now. */
  policies: { accountId: number; requiredLevel: number }[];
  /** How many partners may no longer sign the member on. */
  partners: number;
}

/**
 * Revokes the invitations that a member has sent, and switches off the memberships of others in the accounts that only this
 * member has owned, and the links to partners, until the proven owner decides. Those accounts no longer require a level: the
 * owner may lack the factor for one that somebody else set. The member's row is locked.
 * @param lockedAccounts what `lockPlantedAccounts` locked
 * @throws {TransactionConflictError} if another account was opened meanwhile: the transaction runs again
 */
async function suspendPlanted(
  tx: AccessTransaction,
  { memberId, lockedAccounts, nowMs }: { memberId: number; lockedAccounts: readonly number[]; nowMs: number },
): Promise<Planted> {
  const { accounts, invitations, memberships, partnerMembers } = tx.tables;
  const accountIds = await listPlantedAccountIds(tx, memberId);
  if (accountIds.some((id) => !lockedAccounts.includes(id))) throw new TransactionConflictError();
  const revoked = await tx.write(
    tx
      .update(invitations)
      .set({ status: 'revoked', endedById: memberId, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.inviterId, memberId), isAnswerable(tx.tables, nowMs))),
  );
  const isOthers = and(
    inIds(tx, memberships.accountId, accountIds),
    ne(memberships.memberId, memberId),
    eq(memberships.active, true),
    // Deleted members bring theirs back when they are restored.
    or(eq(memberships.isDeleted, false), eq(memberships.endedWithMember, true)),
  );
  const { accountId, memberId: holder, roleType, isDeleted } = memberships;
  const held = await tx
    .select({ accountId, memberId: holder, roleType, isDeleted })
    .from(memberships)
    .where(isOthers)
    .orderBy(asc(holder));
  await tx.write(
    tx.update(memberships).set({ active: false, heldSinceMs: nowMs, updatedAtMs: nowMs }).where(isOthers),
  );
  const partners = await tx.write(
    tx
      .update(partnerMembers)
      .set({ consentedAtMs: null, heldSinceMs: nowMs })
      .where(and(eq(partnerMembers.memberId, memberId), isNull(partnerMembers.heldSinceMs))),
  );
  const { id, requiredLevel } = accounts;
  const asksLevel = and(inIds(tx, id, accountIds), gt(requiredLevel, 1));
  const policies = await tx.select({ accountId: id, requiredLevel }).from(accounts).where(asksLevel);
  for (const { accountId: policedId } of policies)
    await setAccountPolicy(tx, { accountId: policedId, nowMs, ...NO_POLICY });
  const holders = [...new Set(held.map((each) => each.memberId))];
  const policed = policies.map((each) => each.accountId);
  await changeAccess(tx, { members: holders, accounts: policed }, () => Promise.resolve());
  return { invitations: revoked, memberships: held, policies, partners };
}

/** A person who proved a member's address, and the credentials to keep. */
export interface TakeOver {
  memberId: number;
  /** The replacement for the old password. */
  password: string;
  /** Whether the password was set by a person. */
  hasPassword: boolean;
  /** What `lockPlantedAccounts` locked at the beginning of the transaction. */
  lockedAccounts: readonly number[];
  /** The session that has just begun. */
  keep?: KeptSession;
  nowMs: number;
}

/** The effects of a take-over. */
export interface TakenOver extends Planted {
  /** How many profiles of providers were removed. */
  connections: number;
  /** How many passkeys and authenticator apps were removed. */
  factors: number;
}

/**
 * Ends every credential of a member whose owner was never proven: the password, sessions, auth_token, provider profiles, a
 * pending address and familiar addresses. Passkeys, an authenticator app and backup codes end too, unless an app or a passkey is
 * the second step: the new owner has passed it, or has yet to. Access that the member gave is suspended (`suspendPlanted`). From
 * now on the owner is regarded as proven, and the address as confirmed, so this happens once.
 * @returns what was removed and suspended, undefined when the owner was proven before
 */
export async function takeMemberOver(
  tx: AccessTransaction,
  { memberId, password, hasPassword, lockedAccounts, keep, nowMs }: TakeOver,
): Promise<TakenOver | undefined> {
  const { loginFamiliarity, members, socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        emailConfirmedAtMs: sql`coalesce(${members.emailConfirmedAtMs}, ${nowMs})`,
        ownerProvenAtMs: nowMs,
        ...newPassword(password, { hasPassword, nowMs }),
        ...NO_PENDING_ADDRESS,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), isNull(members.ownerProvenAtMs))),
  );
  if (rows === 0) return undefined;
  const end = { nowMs, reason: 'taken_over', endedById: memberId } as const;
  await endAllSessions(tx, memberId, { ...end, ...(keep ? { keep } : {}) });
  await removeConsentsOf(tx, memberId);
  await tx.write(tx.delete(loginFamiliarity).where(eq(loginFamiliarity.memberId, memberId)));
  const connections = await tx.write(
    tx.delete(socialConnections).where(eq(socialConnections.memberId, memberId)),
  );
  const factors = await removeLoneFactors(tx, { memberId, nowMs });
  return { connections, factors, ...(await suspendPlanted(tx, { memberId, lockedAccounts, nowMs })) };
}

/** A membership that a take-over may have switched off. */
export interface HeldMembership {
  id: number;
  accountId: number;
  accountName: string;
  memberId: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  customRoleId: number | null;
  /** The name of a custom role, and its present rank. */
  customRoleName: string | null;
  customRoleType: number | null;
  joinedAtMs: number;
  active: boolean;
  /** Since when it awaits the decision of the account's owner; null where it does not. */
  heldSinceMs: number | null;
}

/** The held memberships in the accounts of a primary owner, by ascending id; `afterId` pages on. */
export async function listHeldMemberships(
  db: Database,
  { ownerId, scope }: { ownerId: number; scope: MemberScope },
  { afterId, limit }: { afterId: number; limit: number },
): Promise<HeldMembership[]> {
  const { accounts, memberships } = db.tables;
  const isOwn = and(eq(accounts.ownerId, ownerId), eq(accounts.isDeleted, false));
  const isInScope = inAccountScope(db, accounts.id, scope);
  const isHeld = and(eq(memberships.active, false), isNotNull(memberships.heldSinceMs));
  return selectPlaces(db, and(isOwn, isInScope, isHeld, gt(memberships.id, afterId)), limit);
}

/** A membership that is not removed, in an account of any owner. */
export async function findDecidableMembership(
  db: Database,
  membershipId: number,
): Promise<HeldMembership | undefined> {
  const [row] = await selectPlaces(db, eq(db.tables.memberships.id, membershipId), 1);
  return row;
}

/**
 * Switches a held membership on again, or removes it.
 * @returns the consents to applications that ended with it; undefined if it is no longer held
 */
export async function settleHeldMembership(
  tx: AccessTransaction,
  { membershipId, keep, nowMs }: { membershipId: number; keep: boolean; nowMs: number },
): Promise<ConsentRow[] | undefined> {
  const { memberships } = tx.tables;
  const outcome = keep ? { active: true } : { isDeleted: true };
  const rows = await tx.write(
    tx
      .update(memberships)
      .set({ ...outcome, heldSinceMs: null, updatedAtMs: nowMs })
      .where(
        and(
          eq(memberships.id, membershipId),
          eq(memberships.isDeleted, false),
          isNotNull(memberships.heldSinceMs),
        ),
      ),
  );
  if (rows !== 1) return undefined;
  if (keep) return [];
  const { memberId, accountId } = memberships;
  const [place] = await tx
    .select({ memberId, accountId })
    .from(memberships)
    .where(eq(memberships.id, membershipId));
  return place ? removeConsentsIn(tx, place) : [];
}

async function selectPlaces(db: Database, where: SQL | undefined, limit: number): Promise<HeldMembership[]> {
  const { accounts, customRoles, members, memberships } = db.tables;
  const { id, memberId, accountId, roleType, customRoleId, active, createdAtMs, heldSinceMs } = memberships;
  const { username, firstName, lastName, email } = members;
  return db
    .select({
      id,
      accountId,
      accountName: accounts.name,
      memberId,
      username,
      firstName,
      lastName,
      email,
      roleType,
      customRoleId,
      customRoleName: customRoles.name,
      customRoleType: customRoles.roleType,
      active,
      joinedAtMs: createdAtMs,
      heldSinceMs,
    })
    .from(accounts)
    .innerJoin(memberships, eq(accountId, accounts.id))
    .innerJoin(members, eq(members.id, memberId))
    .leftJoin(customRoles, eq(customRoles.id, customRoleId))
    .where(and(where, eq(memberships.isDeleted, false)))
    .orderBy(asc(id))
    .limit(limit);
}
