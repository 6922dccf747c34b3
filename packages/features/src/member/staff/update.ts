import { AppError, emailKey, emailSchema, personNameSchema, storableText } from '@gatehouse/auth-core';
import { findMember, isArchived, isBanned } from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { banMember, giveBaseRole } from '../../core/authority/base-role.js';
import { requireKnownRole } from '../../core/authority/given-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { requireFreshWithFactor } from '../../core/guard/freshness.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { changedMemberView, toChangedMemberView } from '../../core/member-view.js';
import { writeProfile } from '../../registration/usernames.js';
import { changeStaff } from '../staff-authority/change-staff.js';
import { startAddressChange } from './start-address-change.js';

const input = z.object({
  memberId: z.number().int().positive(),
  /** Takes effect once the new address confirms. */
  email: emailSchema.optional(),
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  /** The base role. 11 is a ban without an end, which another role lifts. */
  roleType: z.number().int().optional(),
  /** The label of the base role; its usual one by default. */
  role: storableText(64).optional(),
});

/**
 * Changes a member; omitted fields stay as they are. Address, base role and its label apply in every account of the
 * member, so they need `member.manage` in all of them. Names need it in one.
 */
export const update = staffScopedProcedure('member.manage')
  .input(input)
  .output(z.object({ data: changedMemberView }))
  .mutation(async ({ ctx, input: { memberId, email, firstName, lastName, roleType, role } }) => {
    const { services } = ctx;
    if (roleType !== undefined) requireKnownRole(services.roles, roleType);
    const data = await makeChange(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const { member, authority } = await lockSubject(
        decided,
        tx,
        { memberId, nowMs },
        MEMBER_NEEDS.changeName,
      );
      const isNewAddress = email !== undefined && emailKey(email) !== member.emailKey;
      const { archived } = services.roles.id;
      // Clients send back what they are shown of a banned member: role 11 and its label.
      const isBan = roleType === archived && !isArchived(member);
      const given = roleType === archived ? undefined : roleType;
      const isNewRole = given !== undefined && (given !== member.roleType || isArchived(member));
      const isShown = isBanned(member, nowMs) && role === services.roles.labelOf(archived);
      const label = isShown ? undefined : role;
      const isNewLabel = label !== undefined && label !== member.role;
      if ((isNewAddress || isNewRole || isNewLabel || isBan) && !authority[MEMBER_NEEDS.changeAddress.need])
        throw new AppError('permission_denied');
      // As for `member.ban` and `personnel.save`.
      if (isNewAddress || isNewRole || isBan) await requireFreshWithFactor(decided, decided.caller);

      if (firstName !== undefined || lastName !== undefined) {
        await writeProfile(tx, { memberId, nowMs, firstName, lastName });
      }
      const { memberId: actorId } = decided.caller;
      await changeStaff(ctx, tx, { memberId, actorId, nowMs }, async (staffTx) => {
        if (isBan) {
          await banMember(staffTx, services.roles, member, { untilMs: null, bannedById: actorId, nowMs });
        } else if (isNewRole || isNewLabel) {
          const { actingRole } = authority;
          const change = { roleType: given, label, actingRole, nowMs };
          await giveBaseRole(staffTx, services.roles, member, change);
        }
      });
      if (isNewAddress) await startAddressChange(tx, services, { memberId, email });

      const after = await findMember(tx, memberId);
      if (!after) throw new AppError('not_found');
      const changed = changedFields(
        { ...member, banned: isBanned(member, nowMs) },
        {
          firstName: after.firstName,
          lastName: after.lastName,
          roleType: after.roleType,
          role: after.role,
          banned: isBanned(after, nowMs),
          email: after.email,
          pendingEmail: after.pendingEmail,
        },
      );
      return {
        result: toChangedMemberView(after, nowMs),
        record: changed && {
          action: 'member.updated',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          ...changed,
        },
      };
    });
    services.wakeups.wake('mail');
    return { data };
  });
