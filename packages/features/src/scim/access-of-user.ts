import { AppError, type Roles } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { isCustomRole } from '@gatehouse/db/queries/custom-roles';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { findPlace, listGroupsOfUsers, type ScimUserRow } from '@gatehouse/db/queries/scim-users';
import { findAccountSso } from '@gatehouse/db/queries/sso-connections';
import { endSsoSessions } from '@gatehouse/db/queries/sso-logins';
import { revokeInvitationsTo } from '../account/revoke-invitations-to.js';
import { requireNotPrimaryOwner } from '../account/settle-accounts.js';
import { consentWithdrawal } from '../audit/consent-withdrawal.js';
import { directoryRules, roleIn } from './directory-rules.js';
import { recordDirectory, recordPlace } from './record-directory.js';
import { invalidValue, ScimError } from './scim-error.js';
import type { DirectoryContext } from './scim-exchange.js';

const SOLE_OWNER = 'An organization needs this owner. Transfer the ownership or change the policy first.';

/** A call of a directory inside its transaction. */
export interface DirectoryChange {
  readonly ctx: DirectoryContext;
  readonly tx: AccessTransaction;
  readonly nowMs: number;
}

/**
 * Gives a user access to the account, with the role of their groups. A user whom the directory switched off returns with their
 * former role if the directory may not change it, or if it is a custom role that still exists.
 */
export async function giveAccess(
  { ctx, tx, nowMs }: DirectoryChange,
  user: Pick<ScimUserRow, 'memberId'> & {
    readonly id: number | undefined;
    /** Their role when the directory switched them off. */
    readonly former?: Pick<ScimUserRow, 'roleType' | 'customRoleId'> | undefined;
  },
): Promise<void> {
  const { memberId, id } = user;
  const { accountId } = ctx.directory;
  const place = await findPlace(tx, { memberId, accountId });
  // Staff switched it off, which a removal does not undo, or the owner has yet to decide.
  if (place && (place.isOff || !place.isRemoved))
    throw invalidValue('The access of this person was switched off in the organization');
  const { roles } = ctx.services;
  const former = user.former && (await keptRole({ ctx, tx, nowMs }, user.former));
  const rules = await directoryRules(tx, roles, accountId);
  const groups = id === undefined ? [] : await listGroupsOfUsers(tx, [id]);
  const given = roleIn(
    roles,
    rules,
    groups.map(({ displayName }) => displayName),
  );
  const { roleType, customRoleId } = former ?? { roleType: given, customRoleId: null };
  await setMembership(tx, { memberId, accountId, roleType, customRoleId, nowMs });
  const after = { roleType, customRoleId, active: true };
  await recordPlace(tx, ctx, { action: 'membership.added', memberId, before: null, after }, nowMs);
}

/** Whether a directory may never change a role. */
export function isBeyondDirectory({ id }: Roles, roleType: number): boolean {
  return [id.admin, id.owner, id.accountManager].includes(roleType);
}

async function keptRole(
  { ctx, tx }: DirectoryChange,
  { roleType, customRoleId }: Pick<ScimUserRow, 'roleType' | 'customRoleId'>,
): Promise<Pick<ScimUserRow, 'roleType' | 'customRoleId'> | undefined> {
  const { accountId } = ctx.directory;
  if (customRoleId !== null && (await isCustomRole(tx, { id: customRoleId, accountId })))
    return { roleType, customRoleId };
  return isBeyondDirectory(ctx.services.roles, roleType) ? { roleType, customRoleId: null } : undefined;
}

/**
 * Ends a person's access to the account, with their consents to applications there and invitations by which they could come back.
 * @throws {ScimError} 409 `sole_owner`
 */
export async function endAccess(
  { ctx, tx, nowMs }: DirectoryChange,
  { memberId, roleType, customRoleId, isActive }: ScimUserRow,
): Promise<void> {
  const { accountId } = ctx.directory;
  const sso = await findAccountSso(tx, accountId);
  if (sso?.exemptIds.includes(memberId)) throw new ScimError(409, 'sole_owner', SOLE_OWNER);
  await requireNotPrimaryOwner(tx, memberId, [accountId]).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'sole_owner')
      throw new ScimError(409, 'sole_owner', SOLE_OWNER);
    throw error;
  });
  const ended = await removeMembership(tx, { memberId, accountId, byDirectory: true, nowMs });
  const before = { roleType, customRoleId, ...(!isActive && { active: false }) };
  await recordPlace(tx, ctx, { action: 'membership.removed', memberId, before, after: null }, nowMs);
  await endSsoSessions(tx, { accountId, memberId }, { endedById: null, nowMs });
  const invitations = await revokeInvitationsTo(tx, { accountId, memberId, endedById: null, nowMs });
  const consents = (ended ?? []).map((each) => consentWithdrawal(each, null));
  for (const each of [...consents, ...invitations]) await recordDirectory(tx, ctx, each, nowMs);
}
