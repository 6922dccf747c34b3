import { AppError, type Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { reopenAccount } from '@gatehouse/db/queries/change-accounts';
import { listOwnersOfAccount } from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import { listAccountsClosedWith, restoreMember } from '@gatehouse/db/queries/restore-member';
import {
  listReturningPlaces,
  type ReturningPlace,
  suspendReturningPlaces,
} from '@gatehouse/db/queries/returning-places';
import { recordAudit } from '../audit/record-audit.js';
import type { AccessReader } from '../core/access/access-reader.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import { mayOffer, offeredRole } from '../core/authority/given-role.js';
import type { Context } from '../core/context.js';
import { screenLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
import { queueMail } from '../mail/queue-mail.js';
import { changeStaff } from '../member/change-staff.js';
import type { CheckedOwner } from '../registration/owner-proof.js';

/** What comes back with a deleted member. */
interface Returning {
  /** The accounts that closed with them, by ascending id. */
  readonly closed: readonly number[];
  /** The accounts they have a membership in, including the closed ones. */
  readonly placed: readonly number[];
  /** The members who gave them their roles, or the primary owner where that is unknown. */
  readonly granters: readonly number[];
}

/** What would come back with a deleted member now, so that it can be locked in order. */
export async function findReturning(db: Database, memberId: number): Promise<Returning> {
  const closed = await listAccountsClosedWith(db, memberId);
  const places = await listReturningPlaces(db, memberId);
  const granters = new Set(places.map((place) => granterOf(place, memberId)));
  return {
    closed,
    placed: places.map(({ accountId }) => accountId),
    granters: [...granters].filter((id) => id !== memberId),
  };
}

/** The member to bring back, and the member who does it. */
interface ComingBack {
  readonly memberId: number;
  readonly actorId: number;
  /** The earliest deletion by staff that can be undone; absent where the member comes back by themselves. */
  readonly removedSinceMs?: number;
  /** As it was found before the transaction, which has locked these accounts and members. */
  readonly returning: Returning;
  readonly nowMs: number;
}

/**
 * Brings a deleted member back, with the accounts that closed with them and their memberships of others. A membership that nobody
 * could give them now comes back without access, and awaits an owner's approval. The owners of the accounts get a mail, and the
 * audit log of each account a line.
 * @returns the accounts that are open again
 * @throws {AppError} `grace_over`; `unavailable` if what comes back has changed since it was found
 */
export async function bringBack(
  ctx: Pick<Context, 'services' | 'call'>,
  tx: AccessTransaction,
  access: AccessReader,
  { memberId, actorId, removedSinceMs, returning, nowMs }: ComingBack,
): Promise<number[]> {
  const { roles } = ctx.services;
  const closed = await listAccountsClosedWith(tx, memberId);
  const places = await listReturningPlaces(tx, memberId);
  const isKnown =
    closed.every((id) => returning.closed.includes(id)) &&
    places.every(({ accountId }) => returning.placed.includes(accountId));
  if (!isKnown) throw new AppError('unavailable', { retryAfterSeconds: 1 });

  const suspended: number[] = [];
  for (const place of places) {
    const { accountId } = place;
    if (!place.active || (await wouldBeGiven(roles, access, place, memberId))) continue;
    suspended.push(accountId);
    await suspendReturningPlaces(tx, { accountId, memberId });
  }

  const since = removedSinceMs === undefined ? {} : { removedSinceMs };
  const isBack = await changeStaff(ctx, tx, { memberId, actorId, nowMs }, (staffTx) =>
    restoreMember(staffTx, { memberId, ...since, nowMs }),
  );
  if (!isBack) throw new AppError('grace_over');

  const reopened: number[] = [];
  for (const accountId of closed) {
    if (!(await reopenAccount(tx, { accountId, nowMs }))) continue;
    reopened.push(accountId);
    await recordAudit(tx, ctx, {
      ...lineOf(accountId, { actorId, memberId, nowMs }),
      action: 'account.restored',
      subjectKind: 'account',
      subjectId: accountId,
      after: { restoredWithMemberId: memberId },
    });
  }
  for (const place of places) {
    if (reopened.includes(place.accountId)) continue;
    const isWaiting = place.awaitsOwner || suspended.includes(place.accountId);
    await recordAudit(tx, ctx, {
      ...lineOf(place.accountId, { actorId, memberId, nowMs }),
      action: 'membership.restored',
      subjectKind: 'membership',
      subjectId: `${place.accountId}/${memberId}`,
      before: null,
      after: {
        roleType: place.roleType,
        customRoleId: place.customRoleId,
        active: place.active && !isWaiting,
      },
    });
    // Staff had switched it off.
    if (!place.active && !isWaiting) continue;
    await tellOwners(ctx, tx, access, place, { memberId, isWaiting, nowMs });
  }
  return reopened;
}

function lineOf(
  accountId: number,
  { actorId, memberId, nowMs }: Pick<ComingBack, 'actorId' | 'memberId' | 'nowMs'>,
) {
  const onBehalfOfId = actorId === memberId ? null : memberId;
  return { atMs: nowMs, actorId, onBehalfOfId, accountId };
}

/** Whether the role still exists, and the member who gave it may still give it. Nobody gave the primary owner theirs. */
async function wouldBeGiven(
  roles: Roles,
  access: AccessReader,
  place: ReturningPlace,
  memberId: number,
): Promise<boolean> {
  if (place.ownerId === memberId) return true;
  const account = await access.account(place.accountId);
  const granter = await access.member(granterOf(place, memberId));
  if (account === undefined || granter === undefined) return false;
  const offered = offeredRole(roles, account, place);
  // A closed account may open again.
  return offered !== undefined && mayOffer(roles, granter, { ...account, isDeleted: false }, offered);
}

function granterOf({ grantedById, ownerId }: ReturningPlace, memberId: number): number {
  return grantedById === null || grantedById === memberId ? ownerId : grantedById;
}

async function tellOwners(
  { services }: Pick<Context, 'services'>,
  tx: AccessTransaction,
  access: AccessReader,
  { accountId }: ReturningPlace,
  { memberId, isWaiting, nowMs }: { memberId: number; isWaiting: boolean; nowMs: number },
): Promise<void> {
  const account = await access.account(accountId);
  const member = await findMember(tx, memberId);
  if (account === undefined || account.isDeleted || member === undefined) return;
  const data = {
    accountName: mailName(account.name),
    memberName: mailName(member.username),
    isWaiting,
    atMs: nowMs,
    link: screenLink(services.config, `a/${accountId}/team`),
  };
  for (const { memberId: ownerId, email } of await listOwnersOfAccount(tx, accountId)) {
    if (ownerId === memberId) continue;
    await queueMail(tx, services, { kind: 'memberReturned', to: email, memberId: ownerId, data });
  }
}

/**
 * Brings back a member who deleted themselves, once `claim` confirms that this call does it, and their proof is right.
 * @throws {AppError} `proof_required` without a proof, and as `bringBack` does
 */
export async function comeBack(
  ctx: Context,
  {
    memberId,
    proof,
    claim,
  }: {
    readonly memberId: number;
    readonly proof: CheckedOwner;
    /** Runs once the rows are locked. */
    readonly claim: (tx: AccessTransaction) => Promise<boolean>;
  },
): Promise<void> {
  const { services } = ctx;
  const returning = await findReturning(services.db, memberId);
  const accounts = returning.closed;
  await changeAccess(services.db, { members: [memberId], accounts }, async (tx) => {
    const nowMs = services.now();
    const reader = createLockedReader(tx, nowMs);
    await reader.lockAccounts(accounts, 'exclusive');
    await reader.lockAccounts(returning.placed, 'share');
    for (const id of [memberId, ...returning.granters].toSorted((a, b) => a - b))
      await reader.lockMember(id, id === memberId ? 'exclusive' : 'share');
    if (!(await claim(tx))) return;
    if (!(await proof.isShown(tx, reader, nowMs))) throw new AppError('proof_required');
    await bringBack(ctx, tx, reader, { memberId, actorId: memberId, returning, nowMs });
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'member.restored',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
      after: { accounts },
    });
  }).catch(async (error: unknown) => {
    await proof.afterRefusal(error);
    throw error;
  });
  await proof.succeed();
  services.wakeups.wake('mail');
}
