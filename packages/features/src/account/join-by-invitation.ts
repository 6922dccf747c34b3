import {
  AppError,
  decideAccess,
  passwordSchema,
  personNameSchema,
  usernameSchema,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { insertMember } from '@gatehouse/db/queries/insert-member';
import { endInvitation, lockInvitation } from '@gatehouse/db/queries/invitations';
import { setMembership } from '@gatehouse/db/queries/memberships';
import {
  findMemberByAddress,
  findReturningHolder,
  type ReturningHolder,
} from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { signInNewcomer } from '../authentication/finish-sign-in.js';
import { answeredSession, answeredSessionShape } from '../authentication/sign-in-answer.js';
import { visitorLocale } from '../core/accepted-locale.js';
import type { AccessReader } from '../core/access/access-reader.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import { offeredRole } from '../core/authority/given-role.js';
import type { Context } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { LOCALES } from '../core/member-view.js';
import { requireOwnSignIn } from '../core/required-sso.js';
import { requireGoodPassword } from '../registration/change-own-password.js';
import { newMemberRow, takenError } from '../registration/new-member.js';
import { checkOwnerProof } from '../registration/owner-proof.js';
import { limitRegistrations } from '../registration/register.js';
import { acceptAsProven, tellInviter } from './accept-invitation.js';
import { comeBack } from './bring-back.js';
import { type FollowedLink, LINK_REFUSALS, openLink, requireAnswerable } from './invitation-link.js';
import { isReplaced, stateForLink } from './invitation-state.js';

/** A person who joins by the link of an invitation. */
export const joiningPerson = z.object({
  token: z.string(),
  /** Left out by a member who deleted themselves and comes back with their password. */
  username: usernameSchema.optional(),
  password: passwordSchema,
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  /** The language of their mails; by default the first of our languages that the call's `Accept-Language` names. */
  locale: z.enum(LOCALES).optional(),
});

type JoiningPerson = z.output<typeof joiningPerson>;

/** Who joined, and what their password has to be for a session. */
interface Joined {
  readonly memberId: number;
  readonly accountId: number;
  readonly passwordHash: string;
}

/**
 * Brings back somebody who deleted themselves and still has the invited address, with their password, and accepts for them.
 * @throws {AppError} `invalid_credentials`, `grace_over`, and as `acceptAsProven` does
 */
async function joinAsReturning(
  ctx: Context,
  { deleted, link, password }: { deleted: ReturningHolder; link: FollowedLink; password: string },
): Promise<Joined> {
  const { services } = ctx;
  const { db, roles, access } = services;
  const { id: memberId } = deleted;
  const { invitation, tokenKey } = link;
  await limitRegistrations(ctx);
  await access.current();
  const state = await stateForLink({ roles, access, nowMs: services.now() }, invitation);
  requireAnswerable(state, await isReplaced(db, invitation, tokenKey));
  // Of several calls at once the first brings them back.
  const proof = await checkOwnerProof(ctx, { memberId, sent: { password }, admits: () => true });
  await comeBack(ctx, {
    memberId,
    proof,
    claim: async (tx) => {
      const holder = { emailKey: invitation.emailKey, nowMs: services.now() };
      return (await findReturningHolder(tx, holder))?.id === memberId;
    },
  });
  const authorize = async (_ctx: Context, reader: AccessReader) => {
    const member = await reader.member(memberId);
    if (!member || decideAccess(roles, member, {}).reason !== undefined)
      throw new AppError('invalid_credentials');
    return { caller: { memberId, member } };
  };
  const { accountId } = await acceptAsProven({ ...ctx, authorize }, memberId, link);
  services.wakeups.wake('mail');
  return { memberId, accountId, passwordHash: proof.expectedPassword ?? '' };
}

/** @throws {AppError} `sign_in_required` if a member has the address */
async function requireUnregistered(db: Database, emailKey: string): Promise<void> {
  if (await findMemberByAddress(db, emailKey)) throw new AppError('sign_in_required');
}

const NO_USERNAME = { path: 'username', message: 'Choose a username' };

/**
 * Registers the person who follows the link of an invitation, as a member of that account and without an
 * account of their own. The link came to the address and the password is entered with it, so both are proved. Somebody who
 * deleted themselves and has the address comes back with their password.
 *
 * @throws {AppError} as a registration does, `sign_in_required` if a member has the address, `sso_required` if
 * an account requires its identity provider for it, and as `requireAnswerable` does
 */
export async function joinByInvitation(
  ctx: Context,
  { token, password, username, locale, ...others }: JoiningPerson,
): Promise<Joined> {
  const { services, call } = ctx;
  const { db, roles, access } = services;
  const link = await openLink(services, token).catch(async (error: unknown) => {
    await limitRegistrations(ctx);
    throw error;
  });
  const { invitation: found, tokenKey } = link;
  await requireOwnSignIn(services, found.emailKey);
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
    await reader.lockAccounts([accountId], 'exclusive');
    await reader.lockMember(inviterId, 'share');
    const invitation = await lockInvitation(tx, found.id);
    const account = await findAccountState(tx, accountId);
    if (!invitation || !account) throw new AppError('invalid_token');
    const state = await stateForLink({ roles, access: reader, nowMs }, invitation);
    requireAnswerable(state, await isReplaced(tx, invitation, tokenKey));
    const offered = offeredRole(roles, account, invitation);
    if (!offered) throw new AppError('invitation_void');
    await requireUnregistered(tx, emailKey);
    const language = locale ?? visitorLocale(call);
    const person = {
      ...names,
      services,
      email,
      passwordHash,
      emailConfirmedAtMs: nowMs,
      locale: language,
    };
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

/**
 * Joins an account by the link of an invitation, for somebody who is not a member yet, and signs them in. Somebody who deleted
 * themselves comes back with their password, and takes their second step if they have one.
 */
export const joinAccount = publicProcedure
  .meta({
    about: {
      summary: 'Join by an invitation, as somebody new',
      refuses: [
        ...LINK_REFUSALS,
        'sign_in_required',
        'sso_required',
        'username_taken',
        'email_taken',
        'invalid_credentials',
        'second_factor_required',
        'rate_limited',
      ],
    },
  })
  .input(joiningPerson)
  .output(z.object({ ...answeredSessionShape, userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: person }) => {
    const { memberId, accountId, passwordHash } = await joinByInvitation(ctx, person);
    const session = await signInNewcomer(ctx, { memberId, passwordHash });
    return { ...(await answeredSession(ctx, session)), userId: memberId, accountId };
  });
