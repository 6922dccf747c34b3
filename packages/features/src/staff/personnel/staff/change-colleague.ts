import { AppError, accountLevelAt, emailKey, type Roles } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  findAccountStates,
  findMember,
  isArchived,
  isBanned,
  type LockedMember,
  listGrantedAccountIds,
  listPersonnelGrants,
  lockMember,
  type StaffTransaction,
  setPersonnelState,
} from '@gatehouse/db';
import type { z } from 'zod';
import { changedFields } from '../../../audit/changed-fields.js';
import { makeChange } from '../../../audit/make-change.js';
import { giveBaseRole, requireOtherAdministrator } from '../../../core/authority/base-role.js';
import type { Caller } from '../../../core/guard/caller.js';
import type { Guarded } from '../../../core/guard/guarded.js';
import { startAddressChange } from '../../../member/staff/start-address-change.js';
import { changeStaff } from '../../../member/staff-authority/change-staff.js';
import { writeProfile } from '../../../registration/usernames.js';
import { addressTaken } from '../address-taken.js';
import { requireStaffRole } from '../require-staff-role.js';
import { setGrants } from '../set-grants.js';
import type { ColleagueFields } from './add-colleague.js';
import { type personnelView, toPersonnelView } from './personnel-view.js';

type StaffCall = Guarded<{ readonly caller: Caller }>;

/**
 * Changes a member of staff and their grants in one transaction; undefined fields stay as they are.
 * @throws {AppError} `not_found` for somebody who is not and never was staff, `permission_denied`,
 * `email_taken`, `last_administrator`, `invalid_input` for accounts that do not exist, and as `changeStaff` does
 */
export async function changeColleague(
  ctx: StaffCall,
  personnelId: number,
  fields: { readonly [Name in keyof ColleagueFields]?: ColleagueFields[Name] | undefined },
): Promise<z.output<typeof personnelView>> {
  const { services } = ctx;
  const { email, firstName, lastName } = fields;
  const subjects = { members: [personnelId], within: fields.accountIds ?? [] };
  const view = await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
    const member = await lockMember(tx, { memberId: personnelId, nowMs });
    const isStaff = member !== undefined && (member.isPersonnel || member.personnelEndedAtMs !== null);
    if (!isStaff) throw new AppError('not_found');
    const roleType = givenRole(services.roles, member, fields.roleType, nowMs);
    const accountIdsBefore = await listGrantedAccountIds(tx, personnelId);
    const refusing = await refusedAmong(decided, tx, accountIdsBefore);
    const isActive = fields.active ?? member.isPersonnel;
    const isNewAddress = email !== undefined && emailKey(email) !== member.emailKey;

    if (firstName !== undefined || lastName !== undefined) {
      await writeProfile(tx, { memberId: personnelId, nowMs, firstName, lastName });
    }
    const { memberId: actorId, member: actor } = decided.caller;
    await changeStaff(decided, tx, { memberId: personnelId, actorId, nowMs }, async (staffTx) => {
      if (roleType !== undefined && (roleType !== member.roleType || isArchived(member))) {
        const given = { roleType, actingRole: actor.roleType, nowMs };
        await giveBaseRole(staffTx, services.roles, member, given);
      }
      if (isActive !== member.isPersonnel) await switchColleague(decided, staffTx, member, isActive);
      // Switching somebody on or off is about them, and switches all their grants.
      if (isActive !== member.isPersonnel) await setGrants(staffTx, { personnelId, isActive, nowMs });
      if (fields.accountIds) {
        const { accountIds } = fields;
        await setGrants(staffTx, { personnelId, accountIds, kept: refusing, isActive, nowMs });
      }
    });
    if (isNewAddress) {
      await startAddressChange(tx, services, { memberId: personnelId, email }, addressTaken);
    }

    const [after, grants] = [await findMember(tx, personnelId), await listPersonnelGrants(tx, personnelId)];
    if (!after) throw new AppError('not_found');
    const changed = changedFields(
      { ...member, banned: isBanned(member, nowMs), accountIds: accountIdsBefore },
      {
        firstName: after.firstName,
        lastName: after.lastName,
        roleType: after.roleType,
        isPersonnel: after.isPersonnel,
        banned: isBanned(after, nowMs),
        email: after.email,
        pendingEmail: after.pendingEmail,
        accountIds: await listGrantedAccountIds(tx, personnelId),
      },
    );
    return {
      result: toPersonnelView(
        after,
        grants.filter(({ accountId }) => !refusing.includes(accountId)),
        nowMs,
      ),
      record: changed && {
        action: 'personnel.changed',
        onBehalfOfId: personnelId,
        subjectKind: 'member',
        subjectId: personnelId,
        ...changed,
      },
    };
  });
  services.wakeups.wake('mail');
  return view;
}

/**
 * The role to give, if any. A client may send back the 11 that it is shown of a colleague who is banned.
 * @throws {AppError} `invalid_input`
 */
function givenRole(
  roles: Roles,
  member: LockedMember,
  roleType: number | undefined,
  nowMs: number,
): number | undefined {
  if (roleType === undefined || (roleType === roles.id.archived && isBanned(member, nowMs))) return undefined;
  requireStaffRole(roles, roleType);
  return roleType;
}

/** The accounts that ask for a higher level than the caller's session has. */
async function refusedAmong(
  { services, caller }: StaffCall,
  tx: AccessTransaction,
  accountIds: readonly number[],
): Promise<number[]> {
  const states = await findAccountStates(tx, accountIds);
  const nowMs = services.now();
  return accountIds.filter((id) => accountLevelAt(states.get(id), nowMs) > caller.session.level);
}

/** The last staff of base role 0 cannot be disabled. */
async function switchColleague(
  { services }: StaffCall,
  tx: StaffTransaction,
  member: LockedMember,
  isActive: boolean,
): Promise<void> {
  const nowMs = services.now();
  if (!isActive && member.roleType === services.roles.id.admin)
    await requireOtherAdministrator(tx, { memberId: member.id, nowMs });
  await setPersonnelState(tx, { memberId: member.id, isPersonnel: isActive, nowMs });
}
