import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { listGroupsOfUsers, type ScimUserRow } from '@gatehouse/db/queries/scim-users';
import { findAccountSso } from '@gatehouse/db/queries/sso-connections';
import { endSsoSessions } from '@gatehouse/db/queries/sso-logins';
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

/** Gives somebody access to the account, with the role of their groups. */
export async function giveAccess(
  { ctx, tx, nowMs }: DirectoryChange,
  user: Pick<ScimUserRow, 'memberId'> & { readonly id: number | undefined; readonly isRemoved: boolean },
): Promise<void> {
  const { memberId, id } = user;
  const { accountId } = ctx.directory;
  // Staff switched it off, or the owner has yet to decide.
  if (!user.isRemoved) throw invalidValue('The access of this person was switched off in the organization');
  const { roles } = ctx.services;
  const rules = await directoryRules(tx, roles, accountId);
  const groups = id === undefined ? [] : await listGroupsOfUsers(tx, [id]);
  const roleType = roleIn(
    roles,
    rules,
    groups.map(({ displayName }) => displayName),
  );
  await setMembership(tx, { memberId, accountId, roleType, nowMs });
  const after = { roleType, customRoleId: null, active: true };
  await recordPlace(tx, ctx, { action: 'membership.added', memberId, before: null, after }, nowMs);
}

/**
 * Ends somebody's access to the account, with what they let applications do there.
 * @throws {ScimError} 409 `sole_owner`
 */
export async function endAccess(
  { ctx, tx, nowMs }: DirectoryChange,
  { memberId, roleType, customRoleId }: ScimUserRow,
): Promise<void> {
  const { accountId } = ctx.directory;
  const sso = await findAccountSso(tx, accountId);
  if (sso?.exemptIds.includes(memberId)) throw new ScimError(409, 'sole_owner', SOLE_OWNER);
  await requireNotPrimaryOwner(tx, memberId, [accountId]).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'sole_owner')
      throw new ScimError(409, 'sole_owner', SOLE_OWNER);
    throw error;
  });
  const ended = await removeMembership(tx, { memberId, accountId, isManaged: true, nowMs });
  const before = { roleType, customRoleId };
  await recordPlace(tx, ctx, { action: 'membership.removed', memberId, before, after: null }, nowMs);
  await endSsoSessions(tx, { accountId, memberId }, { endedById: null, nowMs });
  for (const consent of ended ?? []) await recordDirectory(tx, ctx, consentWithdrawal(consent, null), nowMs);
}
