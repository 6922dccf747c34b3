import {
  AppError,
  emailKey,
  emailSchema,
  personNameSchema,
  type Roles,
  searchKey,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import type { StaffTransaction } from '@gatehouse/db/queries/change-staff-status';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { insertPersonnel } from '@gatehouse/db/queries/personnel';
import {
  listGrantedAccountIds,
  removePersonnelGrant,
  setPersonnelGrant,
} from '@gatehouse/db/queries/personnel-grants';
import { listLiveAccountIds } from '@gatehouse/db/queries/read-accounts';
import { z } from 'zod';
import { generateUsername, ownUsername } from '../registration/usernames.js';

const MAX_GRANTS = 1_000;

/** The fields of a member of staff. */
export const personnelFields = z.object({
  email: emailSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  /** The base role, which is also the role as staff. */
  roleType: z.number().int(),
  /** The complete list of granted accounts. */
  accountIds: z.array(z.number().int().positive()).max(MAX_GRANTS),
});

/**
 * Refuses a number that is not a role of staff. The archived role is set by a ban, not given.
 * @throws {AppError} `invalid_input`
 */
export function requireStaffRole(roles: Roles, roleType: number): void {
  const name = roles.nameOf(roleType);
  if (name !== undefined && name !== 'archived') return;
  throw new AppError('invalid_input', {
    issues: [{ path: 'roleType', message: 'This is not a staff role' }],
  });
}

/**
 * Refuses grants in accounts that do not exist. Closed accounts are allowed, because they may open again.
 * @throws {AppError} `invalid_input` naming them
 */
async function requireAccounts(tx: Database, accountIds: readonly number[]): Promise<void> {
  const live = new Set(await listLiveAccountIds(tx, [...accountIds]));
  const issues = accountIds.flatMap((accountId, index) =>
    live.has(accountId) ? [] : [{ path: `accountIds.${index}`, message: 'There is no such account' }],
  );
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
}

/** The refusal of a colleague's address that another member has. Its issue says what is safe to do instead. */
export async function addressTaken(tx: Database, email: string, cause?: unknown): Promise<AppError> {
  const holder = await findCredential(tx, emailKey(email));
  const options = cause === undefined ? {} : { cause };
  if (holder === undefined) return new AppError('email_taken', options);
  const message = holder.isDeleted
    ? `Member ${holder.id}, who is deleted, has this address. Restore that member, or use another address.`
    : holder.isPersonnel
      ? `Member ${holder.id}, who is staff, has this address. Change that colleague, or correct the address.`
      : `Member ${holder.id} has this address. If they are the colleague, promote that member: nobody keeps a way in that the owner of the address has not proven. Otherwise correct the address.`;
  return new AppError('email_taken', { ...options, issues: [{ path: 'email', message }] });
}

/** A new staff member. The caller has validated every field. */
interface NewColleague {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The base role, which is also the role as staff. */
  readonly roleType: number;
  /** A bcrypt hash. */
  readonly passwordHash: string;
  /** The accounts granted to them. */
  readonly accountIds: readonly number[];
  /** False for a person to be enabled later; true by default. */
  readonly isActive?: boolean | undefined;
  /** When a trusted person gave them the password directly. */
  readonly ownerProvenAtMs?: number;
  readonly nowMs: number;
}

const USERNAME_ATTEMPTS = 5;

/**
 * Creates a member of staff with their grants in the caller's transaction and returns their id. The username comes from the
 * address.
 * @throws {AppError} `email_taken` for an address that any member has, deleted ones included, `invalid_input` for accounts that
 * do not exist
 */
export async function createPersonnel(
  tx: AccessTransaction,
  roles: Roles,
  person: NewColleague,
): Promise<number> {
  await requireAccounts(tx, person.accountIds);
  for (let attempt = 0; ; attempt += 1) {
    const username = generateUsername(person, attempt);
    try {
      return await insertPersonnel(tx, {
        email: person.email,
        emailKey: emailKey(person.email),
        ...ownUsername(username, person.email),
        firstName: person.firstName,
        firstNameKey: searchKey(person.firstName),
        lastName: person.lastName,
        lastNameKey: searchKey(person.lastName),
        password: person.passwordHash,
        hasPassword: person.ownerProvenAtMs !== undefined,
        roleType: person.roleType,
        role: roles.labelOf(person.roleType),
        isPersonnel: person.isActive ?? true,
        ...(person.ownerProvenAtMs === undefined ? {} : { ownerProvenAtMs: person.ownerProvenAtMs }),
        accountIds: [...new Set(person.accountIds)],
        nowMs: person.nowMs,
      });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      const isUsername = error.constraint === 'members_username_key_unique';
      if (!isUsername || attempt + 1 >= USERNAME_ATTEMPTS) throw await addressTaken(tx, person.email, error);
    }
  }
}

/**
 * Sets the grants of a member of staff to exactly the given accounts, or only switches the existing ones.
 * @throws {AppError} `invalid_input` naming the accounts that do not exist
 */
export async function setGrants(
  tx: StaffTransaction,
  grants: {
    personnelId: number;
    accountIds?: readonly number[] | undefined;
    /** Accounts whose grants are unchanged, sent or not: the caller's session may not reach them. */
    kept?: readonly number[];
    isActive: boolean;
    nowMs: number;
  },
): Promise<void> {
  const { personnelId, accountIds = [], kept = [], isActive, nowMs } = grants;
  const present = await listGrantedAccountIds(tx, personnelId);
  const wanted = new Set(grants.accountIds ?? present);
  await requireAccounts(tx, accountIds);
  for (const accountId of present) {
    if (!wanted.has(accountId) && !kept.includes(accountId))
      await removePersonnelGrant(tx, { personnelId, accountId, nowMs });
  }
  for (const accountId of wanted) {
    await setPersonnelGrant(tx, { personnelId, accountId, active: isActive, nowMs });
  }
}
