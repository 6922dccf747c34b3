import { type AuditEntry, type Database, insertAudit, insertSecurityEvent } from '@gatehouse/db';
import type { Call, CallFacts } from '@gatehouse/http/server/http-call';
import type { Services } from '../core/context.js';
import { auditMember } from './audit-member.js';
import { memberCipher } from './member-cipher.js';
import { isPersonal, sealAddress, sealState } from './personal-values.js';
import { isSecurityEvent } from './security-event/is-security-event.js';

/** The origin of an action. Jobs and the operator's commands have no call. */
export interface AuditContext {
  readonly services: Pick<Services, 'cipher' | 'now'>;
  readonly call?:
    | (Pick<Call, 'address' | 'requestId' | 'userAgent'> & Partial<Pick<Call, 'facts'>>)
    | undefined;
}

/** An action and its actor; the call has the origin. */
export type AuditedAct = Omit<AuditEntry, 'address' | 'requestId'>;

/**
 * Adds an audit line, in the transaction of the change. Personal data is encrypted under the key of its
 * subject, and the caller's network address under the caller's key, or the subject's if no member is known to have
 * called. If the action concerns the security of a member, it is also stored as a security event.
 */
export async function recordAudit(
  tx: Database,
  { services, call }: AuditContext,
  given: AuditedAct,
): Promise<void> {
  const act = byActor(call?.facts, given);
  const memberId = auditMember(act);
  const actorId = act.actorId ?? undefined;
  const address = call?.address;
  const isAbout = isPersonal(act.before) || isPersonal(act.after);
  const cipher = memberId !== undefined && isAbout ? await memberCipher(tx, services, memberId) : undefined;
  const callerId = actorId ?? memberId;
  const callers =
    callerId === undefined || !address
      ? undefined
      : ((callerId === memberId ? cipher : undefined) ?? (await memberCipher(tx, services, callerId)));
  await insertAudit(tx, {
    ...act,
    address: address && callers ? sealAddress(callers, address) : (address ?? null),
    requestId: call?.requestId ?? null,
    before: sealState(cipher, act.before),
    after: sealState(cipher, act.after),
  });
  if (memberId === undefined || !isSecurityEvent(act.action)) return;
  // If somebody else acted, their address and client are their personal data.
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

/** What a member does through staff who act for them is an act of these, on behalf of the member. */
function byActor(facts: CallFacts | undefined, act: AuditedAct): AuditedAct {
  if (facts?.acting === undefined || act.actorId !== facts.memberId) return act;
  return { ...act, actorId: facts.acting.actorId, onBehalfOfId: act.onBehalfOfId ?? facts.memberId ?? null };
}
