import { AppError, emailKey, emailSchema, personNameSchema, storableText } from '@gatehouse/auth-core';
import { findMember } from '@gatehouse/db';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { staffScopedProcedure } from '@gatehouse/features/app/procedures';
import { changedFields } from '@gatehouse/features/audit/changed-fields';
import { makeChange } from '@gatehouse/features/audit/make-change';
import { z } from 'zod';
import { giveBaseRole } from '../../authority/give-base-role.js';
import { holdSubject } from '../../authority/hold-subject.js';
import { requireKnownRole } from '../../authority/require-known-role.js';
import { startAddressChange } from './start-address-change.js';
import { writeProfile } from './write-profile.js';

const input = z.object({
  memberId: z.number().int().positive(),
  /** Counts once the new address confirms. */
  email: emailSchema.optional(),
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  /** The base role. */
  roleType: z.number().int().optional(),
  /** The label of the base role; the usual one unless said. */
  role: storableText(64).optional(),
});

/**
 * Changes a member; what is left out stays as it is. Address and base role apply in every account of the member, so
 * they take `member.manage` in all of them; names take it in one.
 */
export const update = staffScopedProcedure('member.manage')
  .input(input)
  .output(z.object({ data: memberView }))
  .mutation(async ({ ctx, input: { memberId, email, firstName, lastName, roleType, role } }) => {
    const { kit } = ctx;
    if (roleType !== undefined) requireKnownRole(kit.roles, roleType);
    const data = await makeChange(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const need = { permission: 'member.manage', need: 'mayChange' } as const;
      const { member, authority } = await holdSubject(decided, tx, { memberId, nowMs }, need);
      const isNewAddress = email !== undefined && emailKey(email) !== member.emailKey;
      const isNewRole = roleType !== undefined && roleType !== member.roleType;
      const isNewLabel = role !== undefined && role !== member.role;
      if ((isNewAddress || isNewRole) && !authority.mayChangeEverywhere)
        throw new AppError('permission_denied');

      if (firstName !== undefined || lastName !== undefined) {
        await writeProfile(tx, { memberId, nowMs, firstName, lastName });
      }
      if (isNewRole || isNewLabel) {
        const { actingRole } = authority;
        const given = { roleType: roleType ?? member.roleType, label: role, actingRole, nowMs };
        await giveBaseRole(tx, kit.roles, member, given);
      }
      if (isNewAddress) await startAddressChange(tx, kit, { memberId, email });

      const after = await findMember(tx, memberId);
      if (!after) throw new AppError('not_found');
      const { pendingEmail } = member;
      const changed = changedFields(
        { ...member },
        {
          firstName: after.firstName,
          lastName: after.lastName,
          roleType: after.roleType,
          role: after.role,
          pendingEmail: isNewAddress ? email : pendingEmail,
        },
      );
      return {
        result: toMemberView(after),
        record: changed && {
          action: 'member.updated',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          ...changed,
        },
      };
    });
    kit.wakeups.wake('mail');
    return { data };
  });
