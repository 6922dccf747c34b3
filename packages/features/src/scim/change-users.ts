import {
  AppError,
  domainOfAddress,
  dummyHash,
  emailKey,
  searchKey,
  vouchedAddress,
} from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberProfile } from '@gatehouse/db/queries/change-member';
import { insertMember } from '@gatehouse/db/queries/insert-member';
import { endManagement } from '@gatehouse/db/queries/memberships';
import { setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { findMember, findMemberByAddress } from '@gatehouse/db/queries/read-members';
import {
  deleteScimUser,
  findPlace,
  findScimUser,
  findScimUserOf,
  isExternalIdTaken,
  listGroupsOfUsers,
  type ScimUserRow,
  setScimUser,
} from '@gatehouse/db/queries/scim-users';
import { isDomainOfAccount } from '@gatehouse/db/queries/sso-domains';
import { lockPlantedAccounts } from '@gatehouse/db/queries/take-member-over';
import { change, changedFields } from '../audit/change.js';
import { endEarlierSignIns } from '../authentication/take-over.js';
import { moveAddress } from '../registration/move-address.js';
import { newMemberRow } from '../registration/new-member.js';
import { generateUsername } from '../registration/usernames.js';
import { type DirectoryChange, endAccess, giveAccess } from './access-of-user.js';
import { recordDirectory } from './record-directory.js';
import { fieldsOf, isVersion, type Resource, userResource } from './resources.js';
import { invalidValue, ScimError } from './scim-error.js';
import type { DirectoryContext, ScimRequest } from './scim-exchange.js';
import { requireKeepable, type UserFields } from './user-fields.js';

const CREATE_ATTEMPTS = 3;
const USERNAME_ATTEMPTS = 5;

/** The refusal of an id that nobody here has. */
export function noUser(): ScimError {
  return new ScimError(404, undefined, 'There is no such user');
}

const TAKEN = 'There is a user with this userName already';
const KEPT = 'This address is kept for somebody who deleted their account, until it is erased';
const EXTERNAL_TAKEN = 'There is a user with this externalId already';

/** The stored form of a user's address, and of the one that the directory sends. */
interface Addresses {
  readonly address: string;
  readonly told: string | null;
}

/**
 * Requires addresses in domains that the account has verified.
 * @throws {ScimError} `invalidValue`
 */
async function addressesIn(
  { ctx: { directory }, tx }: DirectoryChange,
  { userName, email }: Pick<UserFields, 'userName' | 'email'>,
): Promise<Addresses> {
  const { accountId } = directory;
  const check = async (text: string, name: string) => {
    const address = vouchedAddress(text.trim());
    if (address === undefined) throw invalidValue(`${name} must be an e-mail address`);
    if (!(await isInOwnDomain(tx, accountId, address)))
      throw invalidValue(`${name} must be in a domain that the organization has verified`);
    return address;
  };
  const address = await check(userName, 'userName');
  const told = email === null ? null : await check(email, 'emails');
  return { address, told: told === address ? null : told };
}

/**
 * Makes a user. A former member of the account comes back with the same id.
 * @throws {ScimError} `uniqueness`, `invalidValue`
 */
export async function createUser({ ctx, base }: ScimRequest, fields: UserFields): Promise<Resource> {
  requireKeepable(fields);
  for (let attempt = 1; ; attempt += 1) {
    const known = await findMemberByAddress(ctx.services.db, emailKey(fields.userName));
    try {
      return await createUserOf(ctx, { base, fields, memberId: known?.id });
    } catch (error) {
      // Somebody has registered with the address, or given it up, since it was looked up.
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === CREATE_ATTEMPTS)
        throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
  }
}

class ChangedMeanwhile extends Error {}

async function createUserOf(
  ctx: DirectoryContext,
  { base, fields, memberId }: { base: string; fields: UserFields; memberId: number | undefined },
): Promise<Resource> {
  const { db } = ctx.services;
  const { accountId } = ctx.directory;
  const planted = memberId === undefined ? [] : await lockPlantedAccounts(db, memberId);
  const subjects = {
    announce: { members: memberId === undefined ? [] : [memberId] },
    lock: { accounts: [accountId, ...planted.filter((id) => id !== accountId)] },
    atAnyLevel: true,
  } as const;
  const made = await change(ctx, subjects, async ({ tx, nowMs }) => {
    const changing = { ctx, tx, nowMs };
    const { address, told } = await addressesIn(changing, fields);
    const found = await findMemberByAddress(tx, emailKey(address));
    if (found?.id !== memberId) throw new ChangedMeanwhile();
    const member = found && (await findMember(tx, found.id));
    // This must not reveal who the staff are: everybody outside the account may get this refusal.
    if (member?.isPersonnel) throw invalidValue('userName cannot be provisioned');
    if (member && (await findScimUserOf(tx, { memberId: member.id, accountId })))
      throw new ScimError(409, 'uniqueness', TAKEN);
    const { externalId, givenName, familyName, displayName } = fields;
    const previous = member && (await findPlace(tx, { memberId: member.id, accountId }));
    if (
      externalId !== null &&
      (await isExternalIdTaken(tx, { accountId, externalId, membershipId: previous?.id }))
    )
      throw new ScimError(409, 'uniqueness', EXTERNAL_TAKEN);
    if (member) await endEarlierSignIns(tx, ctx, { memberId: member.id, lockedAccounts: planted });
    const id = member?.id ?? (await makeMember(changing, { address, givenName, familyName }));
    await giveAccess(changing, { memberId: id, id: previous?.id });
    const membershipId = (await findPlace(tx, { memberId: id, accountId }))?.id;
    if (membershipId === undefined) throw new TypeError('a membership was made and is not there');
    await setScimUser(tx, {
      membershipId,
      accountId,
      memberId: id,
      externalId,
      givenName,
      familyName,
      displayName,
      email: told,
      nowMs,
    });
    const user = await findScimUser(tx, { id: membershipId, accountId });
    if (user === undefined) throw new TypeError('a user was made and is not there');
    if (!fields.active) await endAccess(changing, user);
    await announceNew(changing, member === undefined ? id : undefined);
    return readUser(changing, base, membershipId);
  });
  ctx.services.wakeups.wake('mail');
  return made;
}

/** Cached lists of the account's members do not have a new member yet. */
async function announceNew({ tx }: DirectoryChange, memberId: number | undefined): Promise<void> {
  if (memberId !== undefined) await changeAccess(tx, { members: [memberId] }, () => Promise.resolve());
}

/** Makes a member who signs in by a mail, or by their company, and has no password. */
async function makeMember(
  { ctx, tx, nowMs }: DirectoryChange,
  {
    address,
    givenName,
    familyName,
  }: { address: string; givenName: string | null; familyName: string | null },
): Promise<number> {
  const firstName = givenName ?? undefined;
  const lastName = familyName ?? undefined;
  for (let attempt = 0; ; attempt += 1) {
    const row = newMemberRow({
      services: ctx.services,
      email: address,
      username: generateUsername({ email: address, firstName: firstName ?? '' }, attempt),
      passwordHash: dummyHash,
      hasPassword: false,
      // The owner of its domain says to whom the address belongs, and nobody knows a password.
      emailConfirmedAtMs: nowMs,
      firstName,
      lastName,
    });
    try {
      const memberId = await insertMember(tx, { nowMs, ...row, managedByAccountId: ctx.directory.accountId });
      const subject = { subjectKind: 'member', subjectId: memberId, before: null, after: null };
      await recordDirectory(tx, ctx, { action: 'member.registered', ...subject }, nowMs);
      return memberId;
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      if (error.constraint === 'members_username_key_unique' && attempt + 1 < USERNAME_ATTEMPTS) continue;
      // Nobody live has it.
      throw new ScimError(409, 'uniqueness', KEPT);
    }
  }
}

/** A user as they are now, inside a transaction or outside. */
export async function readUser(
  { ctx, tx }: Pick<DirectoryChange, 'ctx'> & { readonly tx: DirectoryContext['services']['db'] },
  base: string,
  id: number,
): Promise<Resource> {
  const { accountId } = ctx.directory;
  const user = await findScimUser(tx, { id, accountId });
  if (user === undefined) throw noUser();
  return userResource(base, user, await listGroupsOfUsers(tx, [id]));
}

/**
 * Changes a user, if they still have the version that the directory has read.
 * @param change returns their new state
 * @throws {ScimError} 404, 412, `uniqueness`, `mutability`, `invalidValue`, `sole_owner`
 */
export async function changeUser(
  request: ScimRequest,
  id: number,
  decide: (before: UserFields) => UserFields,
): Promise<Resource> {
  return onUser(request, id, async (changing, user) => {
    const before = fieldsOf(user);
    const after = decide(before);
    requireKeepable(after);
    await writeUser(changing, user, { before, after });
    return readUser(changing, request.base, id);
  });
}

/**
 * Writes on the locked row of a user, if they still have the version that the directory has read.
 * @throws {ScimError} 404, 412
 */
async function onUser<Result>(
  { ctx, base, header }: ScimRequest,
  id: number,
  write: (changing: DirectoryChange, user: ScimUserRow) => Promise<Result>,
): Promise<Result> {
  const { accountId } = ctx.directory;
  const { memberId } = await requireUser(ctx, id);
  const subjects = {
    announce: { members: [memberId] },
    lock: { accounts: [accountId] },
    atAnyLevel: true,
  } as const;
  return change(ctx, subjects, async ({ tx, nowMs }) => {
    const changing = { ctx, tx, nowMs };
    const user = await findScimUser(tx, { id, accountId });
    if (user === undefined) throw noUser();
    await requireMatch(changing, { base, header, user });
    return write(changing, user);
  });
}

async function requireUser(ctx: DirectoryContext, id: number): Promise<ScimUserRow> {
  const user = await findScimUser(ctx.services.db, { id, accountId: ctx.directory.accountId });
  if (user === undefined) throw noUser();
  return user;
}

/** @throws {ScimError} 412 for an outdated version */
async function requireMatch(
  { tx }: DirectoryChange,
  { base, header, user }: Pick<ScimRequest, 'base' | 'header'> & { readonly user: ScimUserRow },
): Promise<void> {
  const sent = header('if-match');
  if (sent === undefined) return;
  const { meta } = userResource(base, user, await listGroupsOfUsers(tx, [user.id]));
  if (!isVersion(sent, meta.version)) throw changedSince();
}

/** The refusal of an outdated version. */
export function changedSince(): ScimError {
  return new ScimError(412, undefined, 'It has changed since it was read');
}

async function writeUser(
  changing: DirectoryChange,
  user: ScimUserRow,
  { before, after }: { readonly before: UserFields; readonly after: UserFields },
): Promise<void> {
  const { ctx, tx, nowMs } = changing;
  const { accountId } = ctx.directory;
  const { externalId, givenName, familyName, displayName } = after;
  const isMoving = emailKey(after.userName) !== emailKey(user.email);
  const isToldAnother = isMoving || after.email !== before.email;
  const { address, told } = isToldAnother
    ? await addressesIn(changing, after)
    : { address: user.email, told: before.email };
  if (
    externalId !== null &&
    externalId !== before.externalId &&
    (await isExternalIdTaken(tx, { accountId, externalId, membershipId: user.id }))
  )
    throw new ScimError(409, 'uniqueness', EXTERNAL_TAKEN);
  const said = { externalId, givenName, familyName, displayName, email: told };
  const isSame = user.known !== null && changedFields({ ...before }, said) === undefined;
  if (!isSame) {
    const place = { membershipId: user.id, accountId, memberId: user.memberId };
    await setScimUser(tx, { ...place, ...said, nowMs });
  }
  if (after.active && !before.active) {
    if (!(await isInOwnDomain(tx, accountId, user.email)))
      throw invalidValue('The address of this person is in no domain that the organization has verified');
    await giveAccess(changing, { ...user, former: user.isSwitchedOff ? user : undefined });
  }
  if (isMoving || givenName !== before.givenName || familyName !== before.familyName) {
    const isIn = before.active || after.active;
    const isManaged =
      isIn && user.managedByAccountId === accountId && (await isInOwnDomain(tx, accountId, user.email));
    if (isMoving && !isManaged)
      throw new ScimError(400, 'mutability', 'userName is an address that the person changes themselves');
    if (isMoving) await moveUser(changing, user, address);
    if (isManaged) await renameMember(changing, user, after);
  }
  if (!after.active && before.active) await endAccess(changing, user);
}

/** Whether an address is in a domain that the account has verified. */
async function isInOwnDomain(
  tx: DirectoryChange['tx'],
  accountId: number,
  address: string,
): Promise<boolean> {
  const domain = domainOfAddress(address);
  return domain !== undefined && (await isDomainOfAccount(tx, { accountId, domain }));
}

/**
 * Gives a member whom the account manages another address, and notifies both mailboxes.
 * @throws {ScimError} `uniqueness`
 */
async function moveUser(
  { ctx, tx, nowMs }: DirectoryChange,
  { memberId }: ScimUserRow,
  address: string,
): Promise<void> {
  const key = emailKey(address);
  const wanted = { memberId, email: address, emailKey: key, awaits: null, nowMs };
  const isPending = await setPendingAddress(tx, wanted);
  if (!isPending) throw invalidValue('userName cannot be changed now');
  await moveAddress(tx, ctx.services, { memberId, emailKey: key }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'email_taken')
      throw new ScimError(409, 'uniqueness', TAKEN);
    throw error;
  });
  const subject = { onBehalfOfId: memberId, subjectKind: 'member', subjectId: memberId };
  await recordDirectory(tx, ctx, { action: 'address.changed', ...subject, before: null, after: null }, nowMs);
}

/** A member whom the account manages has the same name in the service as in the directory. */
async function renameMember(
  { ctx, tx, nowMs }: DirectoryChange,
  user: ScimUserRow,
  { givenName, familyName }: UserFields,
): Promise<void> {
  const { memberId } = user;
  const changed = changedFields(
    { firstName: user.firstName, lastName: user.lastName },
    { firstName: givenName ?? user.firstName, lastName: familyName ?? user.lastName },
  );
  if (changed === undefined) return;
  const firstName = givenName ?? user.firstName;
  const lastName = familyName ?? user.lastName;
  const keys = { firstNameKey: searchKey(firstName), lastNameKey: searchKey(lastName) };
  await setMemberProfile(tx, { memberId, firstName, lastName, ...keys, nowMs });
  const subject = { onBehalfOfId: memberId, subjectKind: 'member', subjectId: memberId };
  await recordDirectory(tx, ctx, { action: 'member.updated', ...subject, ...changed }, nowMs);
}

/**
 * Deletes a user: their access ends, and a POST of the same address brings them back.
 * @throws {ScimError} 404, 412, `sole_owner`
 */
export async function removeUser(request: ScimRequest, id: number): Promise<void> {
  const { accountId } = request.ctx.directory;
  await onUser(request, id, async (changing, user) => {
    const { tx, nowMs } = changing;
    const { memberId } = user;
    if (!user.isRemoved) await endAccess(changing, user);
    await endManagement(tx, { memberId, accountId, nowMs });
    await deleteScimUser(tx, { membershipId: id, accountId, memberId, nowMs });
  });
}
