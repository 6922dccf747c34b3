import {
  AppError,
  accountLevelAt,
  emailKey,
  generatePassword,
  mayGive,
  type Roles,
} from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import type { StaffTransaction } from '@gatehouse/db/queries/change-staff-status';
import { findAccountStates } from '@gatehouse/db/queries/find-account-state';
import { type LockedMember, lockMember } from '@gatehouse/db/queries/lock-rows';
import { isArchived, isBanned } from '@gatehouse/db/queries/member-columns';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { listGrantedAccountIds, listPersonnelGrants } from '@gatehouse/db/queries/personnel-grants';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { giveBaseRole, requireOtherAdministrator } from '../../core/authority/base-role.js';
import type { Caller } from '../../core/guard/caller.js';
import { FRESH_WITH_FACTOR } from '../../core/guard/freshness.js';
import type { Guarded } from '../../core/guard/guarded.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { changeStaff } from '../../member/change-staff.js';
import { startAddressChange } from '../../member/staff/update-member.js';
import { mailStaffInvitation } from '../../registration/mail-staff-invitation.js';
import { writeProfile } from '../../registration/usernames.js';
import {
  addressTaken,
  createPersonnel,
  personnelFields,
  requireStaffRole,
  setGrants,
} from '../create-personnel.js';
import { personnelView, toPersonnelView } from './list-personnel-for-staff.js';

interface ColleagueFields {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roleType: number;
  readonly accountIds?: readonly number[] | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Creates a member of staff with their grants. The first password is random and never shown; a mail says how
 * to set one.
 * @throws {AppError} `permission_denied`, `email_taken`, `invalid_input` for accounts that do not exist
 */
async function addColleague(
  ctx: Guarded<{ readonly caller: Caller }>,
  fields: ColleagueFields,
): Promise<z.output<typeof personnelView>> {
  const { services } = ctx;
  const { accountIds = [], active: isActive = true, ...person } = fields;
  const requireRank = ({ member }: Caller): void => {
    if (!mayGive(services.roles, member.roleType, person.roleType)) throw new AppError('permission_denied');
  };
  requireRank(ctx.caller);
  const passwordHash = await services.passwords.hash(generatePassword());
  const view = await changeAndRecord(
    ctx,
    { share: { accounts: accountIds } },
    async ({ tx, nowMs, caller }) => {
      requireRank(caller);
      const personnelId = await createPersonnel(tx, services.roles, {
        ...person,
        passwordHash,
        accountIds,
        isActive,
        nowMs,
      });
      await mailStaffInvitation(tx, services, {
        id: personnelId,
        email: person.email,
        passwordChangedAtMs: null,
      });
      const [row, grants] = [await findMember(tx, personnelId), await listPersonnelGrants(tx, personnelId)];
      if (!row) throw new AppError('internal');
      return {
        result: toPersonnelView(row, grants, { roles: services.roles, nowMs }),
        record: {
          action: 'personnel.added',
          onBehalfOfId: personnelId,
          subjectKind: 'member',
          subjectId: personnelId,
          before: null,
          after: { ...person, active: isActive, accountIds: grants.map(({ accountId }) => accountId) },
        },
      };
    },
  );
  services.wakeups.wake('mail');
  return view;
}

type StaffCall = Guarded<{ readonly caller: Caller }>;

/**
 * Changes a member of staff and their grants in one transaction; undefined fields are unchanged.
 * @throws {AppError} `not_found` for a member who is not and never was staff, `permission_denied`, `email_taken`,
 * `last_administrator`, `invalid_input` for accounts that do not exist, and as `changeStaff` does
 */
async function changeColleague(
  ctx: StaffCall,
  personnelId: number,
  fields: { readonly [Name in keyof ColleagueFields]?: ColleagueFields[Name] | undefined },
): Promise<z.output<typeof personnelView>> {
  const { services } = ctx;
  const { email, firstName, lastName } = fields;
  const subjects = { announce: { members: [personnelId] }, share: { accounts: fields.accountIds ?? [] } };
  const view = await changeAndRecord(ctx, subjects, async ({ tx, nowMs, ...authorized }) => {
    const member = await lockMember(tx, { memberId: personnelId, nowMs });
    const isStaff = member !== undefined && (member.isPersonnel || member.personnelEndedAtMs !== null);
    if (!isStaff) throw new AppError('not_found');
    const roleType = givenRole(services.roles, member, fields.roleType, nowMs);
    const accountIdsBefore = await listGrantedAccountIds(tx, personnelId);
    const refusing = await refusedAmong(authorized, tx, accountIdsBefore);
    const isActive = fields.active ?? member.isPersonnel;
    const isNewAddress = email !== undefined && emailKey(email) !== member.emailKey;

    if (firstName !== undefined || lastName !== undefined) {
      await writeProfile(tx, { memberId: personnelId, nowMs, firstName, lastName });
    }
    const { memberId: actorId, member: actor } = authorized.caller;
    await changeStaff(authorized, tx, { memberId: personnelId, actorId, nowMs }, async (staffTx) => {
      if (roleType !== undefined && (roleType !== member.roleType || isArchived(member))) {
        const given = { roleType, actingRole: actor.roleType, actorId, nowMs };
        await giveBaseRole(staffTx, services.roles, member, given);
      }
      if (isActive !== member.isPersonnel) await switchColleague(authorized, staffTx, member, isActive);
      // Switching a person on or off concerns them, and switches all their grants.
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
        { roles: services.roles, nowMs },
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
 * The role to give, if any. A client may send back the 11 that is shown for a banned colleague.
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

/** The accounts that require a higher level than the caller's session has. */
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

const input = personnelFields
  .partial()
  .extend({
    /** Absent for a new member of staff. */
    personnelId: z.number().int().positive().optional(),
    /**
     * Whether they are active staff. Disabled staff keep their role and grants for later; neither has an
     * effect.
     */
    active: z.boolean().optional(),
  })
  .superRefine(({ personnelId, ...fields }, context) => {
    if (personnelId !== undefined) return;
    for (const name of ['email', 'firstName', 'lastName', 'roleType'] as const) {
      if (fields[name] === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: 'is needed for a new member of staff' });
      }
    }
  });

/** Creates or changes a member of staff; omitted fields of a change are unchanged. */
export const savePersonnel = staffProcedure('personnel.manage', { fresh: FRESH_WITH_FACTOR })
  .input(input)
  .output(z.object({ data: personnelView }))
  .mutation(async ({ ctx, input: { personnelId, ...fields } }) => {
    const { roleType, email, firstName, lastName } = fields;
    if (personnelId !== undefined) return { data: await changeColleague(ctx, personnelId, fields) };
    if (email === undefined || firstName === undefined || lastName === undefined || roleType === undefined) {
      throw new AppError('invalid_input');
    }
    requireStaffRole(ctx.services.roles, roleType);
    return { data: await addColleague(ctx, { ...fields, email, firstName, lastName, roleType }) };
  });
