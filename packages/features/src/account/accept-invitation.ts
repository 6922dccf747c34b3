import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { endInvitation, findInvitation, lockInvitation } from '@gatehouse/db/queries/invitations';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import type { InvitationRow } from '@gatehouse/db/queries/read-invitations';
import { findMember, findMemberAddress } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { mailProofIfUnconfirmed } from '../authentication/sign-in-mail.js';
import type { MemberSnapshot } from '../core/access/access-reader.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import { offeredRole } from '../core/authority/given-role.js';
import type { Services } from '../core/context.js';
import type { Caller } from '../core/guard/caller.js';
import type { NotAuthorized } from '../core/guard/guarded.js';
import { procedure } from '../core/guard/procedure.js';
import { maskAddress, personName } from '../core/member-view.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';
import { LINK_REFUSALS, openLink, requireAnswerable } from './invitation-link.js';
import { isReplaced, stateForLink, stateNow } from './invitation-state.js';
import { whichInvitation } from './inviter-rules.js';

/** Notifies the inviter that the invited person has joined. */
export async function tellInviter(
  tx: Database,
  services: Services,
  { accountId, inviterId, email }: InvitationRow,
  { memberId, accountName }: { memberId: number; accountName: string },
): Promise<void> {
  const inviter = await findMemberAddress(tx, inviterId);
  const member = await findMember(tx, memberId);
  if (inviter === undefined || inviter.email === null || inviter.emailConfirmedAtMs === null) return;
  await queueMail(tx, services, {
    kind: 'invitationAccepted',
    to: inviter.email,
    memberId: inviterId,
    data: {
      memberName: member && mailName(personName(member)),
      email,
      accountName: mailName(accountName),
      atMs: services.now(),
      link: screenLink(services.config, `a/${accountId}/team`),
    },
  });
}

/** The person who accepts: with a session, or after proving on our own page that they are the member. */
interface Accepting {
  readonly caller: { readonly memberId: number; readonly member: MemberSnapshot };
}

interface Accepted {
  readonly accountId: number;
  readonly roleType: number;
  /** Whether they were already a member of the account, and keep their role. */
  readonly alreadyMember: boolean;
}

/**
 * Adds a member to the account they are invited to. The invited address must be theirs and proven.
 * Accepting does not prove it; otherwise somebody who registered the address in advance would get in. A member whose
 * address is not proven gets a mail that proves it.
 *
 * @param invitation undefined if no invitation has the given number
 * @param tokenKey identifies the link, if one was followed
 * @throws {AppError} `permission_denied` for staff, `not_found`, `unconfirmed`, `address_mismatch`, and as
 * `requireAnswerable` does
 */
async function acceptOrMailProof(
  ctx: NotAuthorized<Accepting>,
  caller: Pick<Caller, 'memberId' | 'session'>,
  which: Which,
): Promise<Accepted> {
  const accepted = await mailProofIfUnconfirmed(ctx, caller, () =>
    acceptAsProven(ctx, caller.memberId, which),
  );
  ctx.services.wakeups.wake('mail');
  return accepted;
}

interface Which {
  readonly invitation: InvitationRow | undefined;
  readonly tokenKey?: string;
}

/** As `acceptInvitation`, without a mail if the address is not proven. */
export async function acceptAsProven(
  ctx: NotAuthorized<Accepting>,
  memberId: number,
  { invitation: found, tokenKey }: Which,
): Promise<Accepted> {
  const { services } = ctx;
  const { roles } = services;
  const subjects = {
    atAnyLevel: true,
    announce: { members: [memberId] },
    lock: { accounts: found ? [found.accountId] : [] },
    share: { members: found ? [found.inviterId] : [] },
  } as const;
  return changeAndRecord(ctx, subjects, async ({ tx, nowMs, caller }) => {
    if (caller.member.isPersonnel) throw new AppError('permission_denied');
    const address = await findMemberAddress(tx, memberId);
    if (!address) throw new AppError('not_found');
    // Callers without a proven address do not learn by number that an invitation exists.
    if (tokenKey === undefined && !isProven(address)) throw new AppError('unconfirmed');

    const invitation = found && (await lockInvitation(tx, found.id));
    const isOwn = invitation !== undefined && invitation.emailKey === address.emailKey;
    if (invitation === undefined || (tokenKey === undefined && !isOwn)) throw new AppError('not_found');
    const { accountId, customRoleId } = invitation;
    const membership = await findMembership(tx, { memberId, accountId });
    const account = await findAccountState(tx, accountId);
    const isMember = membership?.active === true && account?.isDeleted === false;
    const isRepeated = invitation.status === 'accepted' && invitation.endedById === memberId && isMember;
    const kept = { accountId, roleType: membership?.roleType ?? invitation.roleType, alreadyMember: true };
    if (isRepeated) return { result: kept, record: undefined };

    const authorize = { roles, access: createLockedReader(tx, nowMs), nowMs };
    if (tokenKey === undefined) requireAnswerable(await stateNow(authorize, invitation), false);
    else
      requireAnswerable(
        await stateForLink(authorize, invitation),
        await isReplaced(tx, invitation, tokenKey),
      );
    if (!isOwn) {
      const message = `The invitation is for ${maskAddress(invitation.email)}`;
      throw new AppError('address_mismatch', { issues: [{ path: 'email', message }] });
    }
    if (!isProven(address)) throw new AppError('unconfirmed');

    const offered = account && offeredRole(roles, account, invitation);
    if (!account || !offered) throw new AppError('invitation_void');
    const end = { invitationId: invitation.id, status: 'accepted', endedById: memberId, nowMs } as const;
    if (!(await endInvitation(tx, end))) throw new AppError('invitation_used');
    const { roleType } = offered;
    if (!isMember) {
      const grantedById = invitation.inviterId;
      await setMembership(tx, { memberId, accountId, roleType, customRoleId, grantedById, nowMs });
      await tellInviter(tx, services, invitation, { memberId, accountName: account.name });
    }
    const result = isMember ? kept : { accountId, roleType, alreadyMember: false };
    return {
      result,
      record: {
        action: 'invitation.accepted',
        accountId,
        subjectKind: 'invitation',
        subjectId: invitation.id,
        before: membership ?? null,
        after: isMember ? membership : { roleType, customRoleId, active: true },
      },
    };
  });
}

/** Adds the caller to the account they are invited to. Existing members keep their role. */
export const acceptInvitation = procedure({ who: 'member', inPerson: true })
  .meta({
    about: {
      summary: 'Accept an invitation',
      refuses: ['not_found', 'unconfirmed', 'address_mismatch', ...LINK_REFUSALS],
    },
  })
  .input(whichInvitation)
  .output(
    z.object({
      message: z.string(),
      data: z.object({ accountId: z.int(), roleType: z.int(), alreadyMember: z.boolean() }),
    }),
  )
  .mutation(async ({ ctx, input: { token, invitationId = 0 } }) => {
    const { services, caller } = ctx;
    const which =
      token === undefined
        ? { invitation: await findInvitation(services.db, invitationId) }
        : await openLink(services, token);
    const data = await acceptOrMailProof(ctx, caller, which);
    return { message: 'You are now a member of the organization', data };
  });
