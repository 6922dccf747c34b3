import { AppError } from '@gatehouse/auth-core';
import {
  changeAccess,
  DuplicateKeyError,
  endInvitation,
  findAccountState,
  findReturningHolder,
  insertMember,
  lockInvitation,
  setMembership,
} from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import { offeredRole } from '../../core/authority/given-role.js';
import type { Context } from '../../core/context.js';
import { requireGoodPassword } from '../../registration/change-own-password.js';
import { newMemberRow, takenError } from '../../registration/new-member.js';
import { limitRegistrations } from '../../registration/register.js';
import { joinAsReturning } from './join-as-returning.js';
import type { Joined, JoiningPerson } from './joining-person.js';
import { openLink } from './open-link.js';
import { requireAnswerable } from './require-answerable.js';
import { requireUnregistered } from './require-unregistered.js';
import { isReplaced, stateForLink } from './state-now.js';
import { tellInviter } from './tell-inviter.js';

const NO_USERNAME = { path: 'username', message: 'Choose a username' };

/**
 * Registers the person who follows the link of an invitation, as a member of that account and without an
 * account of their own. The link came to the address and the password is entered with it, so both are proved. Somebody who
 * deleted themselves and has the address comes back with their password.
 *
 * @throws {AppError} as a registration does, `sign_in_required` if a member has the address, and as
 * `requireAnswerable` does
 */
export async function joinByInvitation(
  ctx: Context,
  { token, password, username, ...others }: JoiningPerson,
): Promise<Joined> {
  const { services, call } = ctx;
  const { db, roles, access } = services;
  const link = await openLink(services, token).catch(async (error: unknown) => {
    await limitRegistrations(ctx);
    throw error;
  });
  const { invitation: found, tokenKey } = link;
  const holder = { emailKey: found.emailKey, nowMs: services.now() };
  const deleted = await findReturningHolder(db, holder);
  if (deleted !== undefined) return joinAsReturning(ctx, { deleted, link, password });
  await limitRegistrations(ctx);
  const { accountId, email, emailKey, inviterId } = found;
  await access.current();
  const early = await stateForLink({ roles, access, nowMs: services.now() }, found);
  requireAnswerable(early, await isReplaced(db, found, tokenKey));
  await requireUnregistered(db, emailKey);
  if (username === undefined) throw new AppError('invalid_input', { issues: [NO_USERNAME] });
  const names = { username, ...others };
  await requireGoodPassword(password, { email, username: names.username }, 'password');
  const passwordHash = await services.passwords.hash(password);
  const nowMs = services.now();
  const by = { address: call.address, requestId: call.requestId };

  const memberId = await changeAccess(db, {}, async (tx) => {
    const reader = createLockedReader(tx, nowMs);
    await reader.lockAccounts([accountId], 'share');
    await reader.lockMember(inviterId, 'share');
    const invitation = await lockInvitation(tx, found.id);
    const account = await findAccountState(tx, accountId);
    if (!invitation || !account) throw new AppError('invalid_token');
    const state = await stateForLink({ roles, access: reader, nowMs }, invitation);
    requireAnswerable(state, await isReplaced(tx, invitation, tokenKey));
    const offered = offeredRole(roles, account, invitation);
    if (!offered) throw new AppError('invitation_void');
    await requireUnregistered(tx, emailKey);
    const person = { ...names, services, email, passwordHash, emailConfirmedAtMs: nowMs };
    const id = await insertMember(tx, { nowMs, ...newMemberRow(person) }).catch((error: unknown) => {
      throw error instanceof DuplicateKeyError ? takenError(error, { email }) : error;
    });
    const { roleType } = offered;
    const { customRoleId } = invitation;
    const place = { accountId, roleType, customRoleId, grantedById: invitation.inviterId };
    await setMembership(tx, { memberId: id, ...place, nowMs });
    const end = { invitationId: invitation.id, status: 'accepted', endedById: id, nowMs } as const;
    if (!(await endInvitation(tx, end))) throw new AppError('invitation_used');
    await tellInviter(tx, services, invitation, { memberId: id, accountName: account.name });
    const subject = { subjectKind: 'member', subjectId: id };
    const line = { atMs: nowMs, actorId: id, accountId };
    await recordAudit(tx, ctx, { action: 'member.registered', ...line, ...subject });
    await recordAudit(tx, ctx, {
      action: 'invitation.accepted',
      ...line,
      subjectKind: 'invitation',
      subjectId: invitation.id,
      before: null,
      after: { roleType, customRoleId, active: true },
    });
    // Cached lists of the account's members do not have the new member yet.
    await changeAccess(tx, { members: [id] }, () => Promise.resolve());
    return id;
  });
  services.wakeups.wake('mail');
  services.log.security({ event: 'member.registered', ...by, memberId, accountId });
  return { memberId, accountId, passwordHash };
}
