import { and, eq, isNull, or, type SQL } from 'drizzle-orm';
import { DuplicateKeyError } from '../database-errors.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import type { StaffTransaction } from './change-staff-status.js';
import type {
  ImportedAccount,
  ImportedGrant,
  ImportedMembership,
  ImportedSubscription,
} from './import-accounts.js';
import { listStaffToGrant } from './import-accounts.js';
import type { ChangeOutcome } from './import-content.js';
import { checkImportedMember, holdersIn, type ImportedMember, listMemberHolders } from './import-members.js';
import { importProblems } from './insert-imported-rows.js';
import { lockMemberRow } from './lock-rows.js';
import { ARCHIVED } from './member-columns.js';

const refusal = (problem: string): ChangeOutcome => ({ problem });

const GONE = refusal('is not here any more');

/**
 * Applies what changed in a member of the other system since the last run. What was done here stays: a deletion, a ban, a
 * password or an address that was set here. Authority as staff is changed only here.
 */
export async function changeImportedMember(
  tx: AccessTransaction,
  row: ImportedMember,
): Promise<ChangeOutcome> {
  const { members } = tx.tables;
  // A password, an address or a ban may be set meanwhile.
  await lockMemberRow(tx, row.id, 'exclusive');
  const [known] = await tx.select().from(members).where(eq(members.id, row.id));
  if (known === undefined) return GONE;
  if (known.erasedAtMs !== null || known.erasesAtMs !== null || known.deletedById !== null)
    return refusal('was deleted here, and stays so');
  const staffChanges =
    (known.isPersonnel || row.isPersonnel) &&
    (known.isPersonnel !== row.isPersonnel ||
      known.roleType !== row.roleType ||
      known.isDeleted !== row.isDeleted);
  if (staffChanges) return refusal('changed there as staff: change here what they may do');
  const sameAddress = known.emailKey === row.emailKey;
  // A change of the address matters, like one of second factors. The other system's address could be an abandoned one.
  if (!sameAddress && known.factorEpoch > 0)
    return refusal(
      'has changed the address or second factors here, and has another address there: change it here',
    );
  const others = (await listMemberHolders(tx, [row])).filter(({ id }) => id !== row.id);
  const clash = checkImportedMember(row, holdersIn(others));
  if (clash !== undefined) return typeof clash === 'object' ? clash : GONE;
  const { id, sid, sidKey, username, usernameKey, firstName, firstNameKey, lastName, lastNameKey } = row;
  const keepsPassword = known.passwordChangedAtMs !== null;
  // The factors set here belong to somebody whose address nobody there has confirmed.
  const hasOwnSignIn = keepsPassword || known.factorEpoch > 0;
  const isBanned = known.roleType === ARCHIVED && known.bannedAtMs !== null;
  await tx.write(
    tx
      .update(members)
      .set({
        sid,
        sidKey,
        username,
        usernameKey,
        firstName,
        firstNameKey,
        lastName,
        lastNameKey,
        defaultPaymentId: row.defaultPaymentId,
        ...(sameAddress
          ? {
              emailConfirmedAtMs: known.emailConfirmedAtMs ?? row.emailConfirmedAtMs,
              ownerProvenAtMs: known.ownerProvenAtMs ?? (hasOwnSignIn ? null : row.ownerProvenAtMs),
            }
          : {
              email: row.email,
              emailKey: row.emailKey,
              emailConfirmedAtMs: row.emailConfirmedAtMs,
              ownerProvenAtMs: row.ownerProvenAtMs,
            }),
        ...(keepsPassword
          ? {}
          : {
              password: row.password,
              passwordRounds: row.passwordRounds ?? null,
              passwordDelayMs: row.passwordDelayMs ?? null,
            }),
        ...(isBanned ? { bannedRoleType: row.roleType } : { roleType: row.roleType }),
        role: row.role,
        isDeleted: row.isDeleted,
        deletedAtMs: row.isDeleted ? (known.deletedAtMs ?? row.deletedAtMs) : null,
        updatedAtMs: row.updatedAtMs,
      })
      .where(eq(members.id, id)),
  );
  return 'changed';
}

/** Applies what changed in an account. One that was closed here stays closed. */
export async function changeImportedAccount(
  tx: AccessTransaction,
  { id, name, nameKey, ownerId, isDeleted, deletedAtMs, updatedAtMs }: ImportedAccount,
): Promise<ChangeOutcome> {
  const { accounts } = tx.tables;
  const [known] = await tx.select().from(accounts).where(eq(accounts.id, id));
  if (known === undefined) return GONE;
  if (known.closedById !== null || known.erasesAtMs !== null || known.erasedAtMs !== null)
    return refusal('was closed here, and stays so');
  const deleted = { isDeleted, deletedAtMs: isDeleted ? (known.deletedAtMs ?? deletedAtMs) : null };
  await tx.write(
    tx
      .update(accounts)
      .set({ name, nameKey, ownerId, ...deleted, updatedAtMs })
      .where(eq(accounts.id, id)),
  );
  return 'changed';
}

/**
 * Applies what changed in a membership. One that was ended or suspended here stays so.
 * @param broughtAtMs when it was last moved
 */
export async function changeImportedMembership(
  tx: AccessTransaction,
  { memberId, accountId, roleType, isDeleted, active, updatedAtMs }: ImportedMembership,
  broughtAtMs: number,
): Promise<ChangeOutcome | 'there'> {
  const { memberships } = tx.tables;
  const isIt = and(eq(memberships.memberId, memberId), eq(memberships.accountId, accountId));
  const rows = await tx.write(
    tx
      .update(memberships)
      .set({ roleType, isDeleted, active, updatedAtMs })
      .where(
        and(
          isIt,
          eq(memberships.awaitsOwner, false),
          eq(memberships.endedWithMember, false),
          isNull(memberships.heldSinceMs),
          isLiveOrAsBrought(memberships, broughtAtMs),
        ),
      ),
  );
  if (rows === 1) return 'changed';
  const [known] = await tx.select({ isDeleted: memberships.isDeleted }).from(memberships).where(isIt);
  if (known?.isDeleted && isDeleted) return 'there';
  return refusal('was ended here or awaits an owner, and stays so');
}

/**
 * Applies what changed in the access of staff to an account. Only staff with a proven address get more, and access that was ended
 * here stays ended.
 * @param broughtAtMs when it was last moved
 */
export async function changeImportedGrant(
  tx: StaffTransaction,
  { personnelId, accountId, isDeleted, active, updatedAtMs }: ImportedGrant,
  broughtAtMs: number,
): Promise<ChangeOutcome | 'there'> {
  const { personnelGrants } = tx.tables;
  const mayGet = (await listStaffToGrant(tx, [personnelId])).get(personnelId);
  if (!isDeleted && active && mayGet !== true) {
    const { unprovenStaff, noStaff } = importProblems;
    const problem = mayGet === undefined ? noStaff(personnelId) : unprovenStaff(personnelId);
    return typeof problem === 'object' ? problem : GONE;
  }
  const isIt = and(eq(personnelGrants.personnelId, personnelId), eq(personnelGrants.accountId, accountId));
  const rows = await tx.write(
    tx
      .update(personnelGrants)
      .set({ isDeleted, active, updatedAtMs })
      .where(
        and(
          isIt,
          eq(personnelGrants.endedWithMember, false),
          isLiveOrAsBrought(personnelGrants, broughtAtMs),
        ),
      ),
  );
  if (rows === 1) return 'changed';
  const { isDeleted: isEnded } = personnelGrants;
  const [known] = await tx.select({ isEnded }).from(personnelGrants).where(isIt);
  if (known?.isEnded && isDeleted) return 'there';
  return refusal('was ended here, and stays so');
}

/** Not one that was ended here since it was moved. */
function isLiveOrAsBrought(
  { isDeleted, active, updatedAtMs }: Tables['memberships' | 'personnelGrants'],
  broughtAtMs: number,
): SQL | undefined {
  return or(and(eq(isDeleted, false), eq(active, true)), eq(updatedAtMs, broughtAtMs));
}

/** Applies what changed in a subscription. One that an event of its provider has changed here stays as the event said. */
export async function changeImportedSubscription(
  tx: AccessTransaction,
  { accountId, createdAtMs: _createdAtMs, ...row }: ImportedSubscription,
): Promise<ChangeOutcome> {
  const { subscriptions } = tx.tables;
  try {
    await tx.write(
      tx
        .update(subscriptions)
        .set(row)
        .where(and(eq(subscriptions.accountId, accountId), isNull(subscriptions.lastEventAtMs))),
    );
    return 'changed';
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    return refusal('its ids at the provider belong to another account');
  }
}
