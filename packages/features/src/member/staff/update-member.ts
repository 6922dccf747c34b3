import { AppError, emailKey, emailSchema, personNameSchema, storableText } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { isArchived, isBanned } from '@gatehouse/db/queries/member-columns';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { findInvitedPersonnel, setInvitedAddress } from '@gatehouse/db/queries/personnel';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { banMember, giveBaseRole } from '../../core/authority/base-role.js';
import { requireKnownRole } from '../../core/authority/given-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import type { Services } from '../../core/context.js';
import { requireFreshWithFactor } from '../../core/guard/freshness.js';
import { procedure, staffProcedure } from '../../core/guard/procedure.js';
import { changedMemberView, toChangedMemberView } from '../../core/member-view.js';
import { mailLimitError } from '../../mail/limit-mails.js';
import { mailStaffInvitation } from '../../registration/mail-staff-invitation.js';
import { changeAddress } from '../../registration/move-address.js';
import { renewUsername, writeProfile } from '../../registration/usernames.js';
import { changeProfile, profileInput, profileOutput } from '../change-profile.js';
import { changeStaff } from '../change-staff.js';

/**
 * Starts a change of a member's address, which takes effect once the new address confirms; the present
 * address is notified. A person who was invited to the staff and has not joined gets the new address at once, unconfirmed, and an
 * invitation there: the former address may be a stranger's, who could join by it.
 * @param taken the refusal of an address that somebody else has
 * @throws {AppError} `email_taken`, `rate_limited` for an address that gets no invitation now
 */
export async function startAddressChange(
  tx: AccessTransaction,
  services: Services,
  { memberId, email }: { memberId: number; email: string },
  taken: (tx: AccessTransaction, email: string, cause?: unknown) => Promise<AppError> = async (
    _tx,
    _email,
    cause,
  ) => new AppError('email_taken', { cause }),
): Promise<void> {
  const key = emailKey(email);
  const holder = await findCredential(tx, key);
  if (holder && holder.id !== memberId) throw await taken(tx, email);
  const invited = await findInvitedPersonnel(tx, memberId);
  if (invited === undefined || invited.hasPassword) {
    if (!(await changeAddress(tx, services, { memberId, email }))) throw new AppError('not_found');
    return;
  }
  try {
    await setInvitedAddress(tx, { memberId, email, emailKey: key, nowMs: services.now() });
    await renewUsername(tx, { memberId, nowMs: services.now() });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw await taken(tx, email, error);
    throw error;
  }
  if (!(await mailStaffInvitation(tx, services, { ...invited, email })))
    throw await mailLimitError(services, {
      kind: 'staffInvitation',
      to: email,
      name: 'staff-invitation-mail',
    });
}

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
export const updateMember = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
  .input(input)
  .output(z.object({ data: changedMemberView }))
  .mutation(async ({ ctx, input: { memberId, email, firstName, lastName, roleType, role } }) => {
    const { services } = ctx;
    if (roleType !== undefined) requireKnownRole(services.roles, roleType);
    const data = await changeAndRecord(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const { member, authority } = await lockSubject(
          authorized,
          tx,
          { memberId, nowMs },
          MEMBER_NEEDS.changeName,
        );
        const isNewAddress = email !== undefined && emailKey(email) !== member.emailKey;
        const { archived } = services.roles.id;
        // Clients send back the shown values of a banned member: role 11 and its label.
        const isBan = roleType === archived && !isArchived(member);
        const given = roleType === archived ? undefined : roleType;
        const isNewRole = given !== undefined && (given !== member.roleType || isArchived(member));
        const isShown = isBanned(member, nowMs) && role === services.roles.labelOf(archived);
        const label = isShown ? undefined : role;
        const isNewLabel = label !== undefined && label !== member.role;
        if ((isNewAddress || isNewRole || isNewLabel || isBan) && !authority[MEMBER_NEEDS.changeAddress.need])
          throw new AppError('permission_denied');
        // As for `member.ban` and `personnel.save`.
        if (isNewAddress || isNewRole || isBan) await requireFreshWithFactor(authorized, authorized.caller);

        if (firstName !== undefined || lastName !== undefined) {
          await writeProfile(tx, { memberId, nowMs, firstName, lastName });
        }
        const { memberId: actorId } = authorized.caller;
        await changeStaff(ctx, tx, { memberId, actorId, nowMs }, async (staffTx) => {
          if (isBan) {
            await banMember(staffTx, services.roles, member, { untilMs: null, bannedById: actorId, nowMs });
          } else if (isNewRole || isNewLabel) {
            const { actingRole } = authority;
            const change = { roleType: given, label, actingRole, actorId, nowMs };
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
      },
    );
    services.wakeups.wake('mail');
    return { data };
  });

/** Changes the caller's names and the language of their mails; omitted fields stay as they are. */
export const updateProfileAsStaff = staffProcedure()
  .input(profileInput)
  .output(profileOutput)
  .mutation(({ ctx, input }) => changeProfile(ctx, input));
