import { type AuditEntry, type Database, insertAudit, insertSecurityEvent } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { isSecurityEvent } from '../security-event/is-security-event.js';
import { auditMember } from './audit-member.js';
import { memberCipher } from './member-cipher.js';
import { sealAddress, sealState } from './personal-values.js';

/** A line of the audit log, with the actor's device. */
export interface AuditedAct extends AuditEntry {
  readonly device?: string | undefined;
}

/**
 * Adds a line to the audit log, in the transaction of what it tells about. What says who somebody is stands sealed under the
 * key of that member. Where it concerns the security of a member, it is an event of theirs too.
 */
export async function recordAudit(
  tx: Database,
  services: Pick<Services, 'cipher' | 'now'>,
  { device, ...entry }: AuditedAct,
): Promise<void> {
  const memberId = auditMember(entry);
  const actorId = entry.actorId ?? undefined;
  const cipher = memberId === undefined ? undefined : await memberCipher(tx, services, memberId);
  const actors = actorId === memberId ? cipher : actorId && (await memberCipher(tx, services, actorId));
  await insertAudit(tx, {
    ...entry,
    address: entry.address && actors ? sealAddress(actors, entry.address) : (entry.address ?? null),
    before: sealState(cipher, entry.before),
    after: sealState(cipher, entry.after),
  });
  if (memberId === undefined || !isSecurityEvent(entry.action)) return;
  // Where somebody else acted, what they acted from is theirs.
  const isOwn = actorId === undefined || actorId === memberId;
  await insertSecurityEvent(tx, {
    memberId,
    atMs: entry.atMs,
    kind: entry.action === 'session.started' ? 'login' : entry.action,
    address: (isOwn ? entry.address : undefined) ?? null,
    device: (isOwn ? device : undefined) ?? null,
    actorId: actorId ?? null,
  });
}
