import { dummyHash } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { KeptSession } from '@gatehouse/db/queries/revoke-sessions';
import { type TakenOver, type TakeOver, takeMemberOver } from '@gatehouse/db/queries/take-member-over';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

type HeldPlace = TakenOver['memberships'][number];

/**
 * Ends every earlier credential of a member whose owner is proven now, once, and suspends the access they gave to others. The
 * audit log of each account says how many memberships were suspended, and that the account requires no level any more.
 * @returns undefined if the owner was proven before
 */
export async function takeOver(
  tx: AccessTransaction,
  ctx: Pick<Context, 'services' | 'call'>,
  takeover: TakeOver,
): Promise<TakenOver | undefined> {
  const ended = await takeMemberOver(tx, takeover);
  if (ended === undefined) return undefined;
  const { memberId, nowMs } = takeover;
  const held = new Map<number, HeldPlace[]>();
  for (const place of ended.memberships)
    held.set(place.accountId, [...(held.get(place.accountId) ?? []), place]);
  for (const [accountId, places] of held) {
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'membership.held',
      actorId: memberId,
      accountId,
      subjectKind: 'account',
      subjectId: accountId,
      after: { heldMemberships: places.length },
      events: places
        .filter((place) => !place.isDeleted)
        .map(({ memberId: holder, roleType }) => ({
          type: 'membership.removed',
          memberId: holder,
          accountId,
          roleType,
          source: 'takeover',
        })),
    });
  }
  for (const { accountId, requiredLevel } of ended.policies)
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'account.policy-set',
      actorId: memberId,
      accountId,
      subjectKind: 'account',
      subjectId: accountId,
      before: { requiredLevel },
      after: { requiredLevel: 1 },
    });
  return ended;
}

/** The audit record of a take-over. */
export function takeOverRecord(ended: TakenOver | undefined): Record<string, number> {
  return {
    removedConnections: ended?.connections ?? 0,
    removedFactors: ended?.factors ?? 0,
    revokedInvitations: ended?.invitations ?? 0,
    heldMemberships: ended?.memberships.length ?? 0,
    heldPartners: ended?.partners ?? 0,
  };
}

/** Whether a take-over left something to decide. */
export function hasHeld(ended: TakenOver | undefined): boolean {
  return ended !== undefined && (ended.memberships.length > 0 || ended.partners > 0);
}

/**
 * Ends every earlier credential of a member, once, when the address is proved by somebody who may not have
 * registered it. A person who registered somebody else's address, and got its owner to confirm it, loses
 * access, and so do the people they let in. The password is replaced by one that nobody knows, and a mail informs the owner.
 * Does nothing if the owner was proven before.
 * @param member `lockedAccounts` are what `lockPlantedAccounts` locked at the beginning of the transaction
 */
export async function endEarlierSignIns(
  tx: AccessTransaction,
  { services, call }: Context,
  {
    memberId,
    lockedAccounts,
    keep,
  }: { memberId: number; lockedAccounts: readonly number[]; keep?: KeptSession },
): Promise<void> {
  const nowMs = services.now();
  const ended = await takeOver(
    tx,
    { services, call },
    {
      memberId,
      lockedAccounts,
      password: dummyHash,
      hasPassword: false,
      nowMs,
      ...(keep ? { keep } : {}),
    },
  );
  if (ended === undefined) return;
  const member = await findMember(tx, memberId);
  if (member !== undefined && member.email !== null) {
    const data = { atMs: nowMs, link: appLink(services.config, 'forgot'), hasHeld: hasHeld(ended) };
    await queueMail(tx, services, { kind: 'signInsEnded', to: member.email, memberId, data });
  }
  await recordAudit(
    tx,
    { services, call },
    {
      atMs: nowMs,
      action: 'member.sign-ins-ended',
      actorId: memberId,
      subjectKind: 'member',
      subjectId: memberId,
      after: takeOverRecord(ended),
    },
  );
}
