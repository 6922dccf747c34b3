import { type AuditEntry, type Database, insertAudit, insertSecurityEvent } from '@gatehouse/db';
import type { Call } from '@gatehouse/http/server/call';
import type { Services } from '../app/services.js';
import { isSecurityEvent } from '../security-event/is-security-event.js';
import { auditMember } from './audit-member.js';
import { memberCipher } from './member-cipher.js';
import { isPersonal, sealAddress, sealState } from './personal-values.js';

/** Where an act comes from. Jobs and the operator's commands have no call. */
export interface AuditContext {
  readonly services: Pick<Services, 'cipher' | 'now'>;
  readonly call?: Pick<Call, 'address' | 'requestId' | 'userAgent'> | undefined;
}

/** An act, and who did it; the call says from where. */
export type AuditedAct = Omit<AuditEntry, 'address' | 'requestId'>;

/**
 * Adds a line to the audit log, in the transaction of what it tells about. What says who somebody is stands sealed under the
 * key of that member, and the address of a call under that of whoever made it. Where it concerns the security of a member, it
 * is an event of theirs too.
 */
export async function recordAudit(
  tx: Database,
  { services, call }: AuditContext,
  act: AuditedAct,
): Promise<void> {
  const memberId = auditMember(act);
  const actorId = act.actorId ?? undefined;
  const address = call?.address;
  const isAbout = isPersonal(act.before) || isPersonal(act.after);
  const cipher = memberId !== undefined && isAbout ? await memberCipher(tx, services, memberId) : undefined;
  const actors =
    actorId === undefined || !address
      ? undefined
      : ((actorId === memberId ? cipher : undefined) ?? (await memberCipher(tx, services, actorId)));
  await insertAudit(tx, {
    ...act,
    address: address && actors ? sealAddress(actors, address) : (address ?? null),
    requestId: call?.requestId ?? null,
    before: sealState(cipher, act.before),
    after: sealState(cipher, act.after),
  });
  if (memberId === undefined || !isSecurityEvent(act.action)) return;
  // Where somebody else acted, what they acted from is theirs.
  const isOwn = actorId === undefined || actorId === memberId;
  await insertSecurityEvent(tx, {
    memberId,
    atMs: act.atMs,
    kind: act.action === 'session.started' ? 'login' : act.action,
    address: (isOwn ? address : undefined) ?? null,
    device: (isOwn ? call?.userAgent : undefined) ?? null,
    actorId: actorId ?? null,
  });
}
