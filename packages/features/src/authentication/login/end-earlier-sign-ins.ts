import { dummyHash } from '@gatehouse/auth-core';
import { type AccessTransaction, findMember, type KeptSession } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/app/context.js';
import { appLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';
import { hasHeld, takeOver, takeOverRecord } from './take-over.js';

/**
 * Ends every earlier credential of a member, once, when the address is proved by somebody who may not have
 * registered it. A person who registered somebody else's address, and got its owner to confirm it, loses
 * access, and so does whom they let in. The password is replaced by one that nobody knows, and a mail informs the owner. Does nothing if
 * the owner was proven before.
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
