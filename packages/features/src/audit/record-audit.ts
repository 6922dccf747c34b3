import type { Database } from '@gatehouse/db/database';
import { insertAudit } from '@gatehouse/db/queries/audit-log';
import { insertSecurityEvent } from '@gatehouse/db/queries/security-event-log';
import type { Call, CallFacts } from '@gatehouse/http/server/http-call';
import type { Services } from '../core/context.js';
import type { Act, EventDraft } from '../event/events-of-acts.js';
import { recordEvents } from '../event/record-events.js';
import { auditMember, isPersonal, memberCipher, sealAddress, sealState } from './member-cipher.js';

/** Prefixes of audit actions that concern a member's security. */
const KINDS = [
  'address.',
  'connection.',
  'consent.',
  'factor.',
  'impersonation.',
  'membership.',
  'password.',
  'recovery.',
  'session.',
];

const ACTS: ReadonlySet<string> = new Set([
  'auth-token.issued',
  'member.banned',
  'member.deleted',
  'member.restored',
  'member.sign-ins-ended',
  'member.unbanned',
  'member.unlocked',
  'partner.consent',
  'partner.link_ended',
  'partner.link_kept',
]);

/** The member sees when staff began and stopped acting for them, but not each call. */
const WITHIN_IMPERSONATIONS: ReadonlySet<string> = new Set(['impersonation.called', 'impersonation.opened']);

/** Whether an audit action is a security event that its member sees. */
export function isSecurityEvent(action: string): boolean {
  if (WITHIN_IMPERSONATIONS.has(action)) return false;
  return ACTS.has(action) || KINDS.some((kind) => action.startsWith(kind));
}

/** The origin of an action. Jobs and the operator's commands have no call. */
export interface AuditContext {
  readonly services: Pick<Services, 'cipher' | 'now'>;
  readonly call?:
    | (Pick<Call, 'address' | 'requestId' | 'userAgent'> & Partial<Pick<Call, 'facts'>>)
    | undefined;
}

/** An action and its actor; the call has the origin. */
type AuditedAct = Act & { readonly events?: readonly EventDraft[] };

/**
 * Adds an audit line, in the transaction of the change. Personal data is encrypted under the key of its
 * subject, and the caller's network address under the caller's key, or the subject's if no member is known to have
 * called. If the action concerns the security of a member, it is also stored as a security event. The events for programs that
 * follow from the action, and `events`, are stored with it.
 */
export async function recordAudit(
  tx: Database,
  { services, call }: AuditContext,
  given: AuditedAct,
): Promise<void> {
  const { events, ...act } = byActor(call?.facts, given);
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
    after: sealState(cipher, withToken(call?.facts?.directory, act.after)),
  });
  await recordEvents(tx, act, {
    others: events,
    knownActor: call?.facts?.caller,
    directory: call?.facts?.directory,
  });
  if (memberId === undefined || !isSecurityEvent(act.action)) return;
  // If another person acted, their address and client are that person's data.
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

/** What a directory changed, with the token that it called with: it is no member, so the line has no actor. */
function withToken(directory: CallFacts['directory'], after: unknown): unknown {
  if (directory === undefined) return after;
  return { ...(typeof after === 'object' ? after : {}), scimTokenId: directory.tokenId };
}

/** An action of staff in a member's name is an act of the staff, on behalf of the member; that of a machine names its key, and one of an application that application. */
function byActor(facts: CallFacts | undefined, act: AuditedAct): AuditedAct {
  if (facts === undefined || act.actorId !== facts.memberId) return act;
  if (facts.key !== undefined) return { ...act, keyId: facts.key.id };
  if (facts.agent !== undefined) return { ...act, applicationId: facts.agent.applicationId };
  if (facts.acting === undefined) return act;
  return { ...act, actorId: facts.acting.actorId, onBehalfOfId: act.onBehalfOfId ?? facts.memberId ?? null };
}

/** Writes the line of a call that staff make for a member, who did it and which procedure it was. */
export function recordActingIn(services: Pick<Services, 'db' | 'cipher' | 'now'>): Services['recordActing'] {
  return (call, { actorId, impersonationId, accountId }, path) =>
    recordAudit(
      services.db,
      { services, call },
      {
        atMs: services.now(),
        action: 'impersonation.called',
        actorId,
        onBehalfOfId: call.facts.memberId ?? null,
        accountId: call.facts.accountId ?? accountId,
        subjectKind: 'procedure',
        subjectId: path.slice(0, 64),
        after: { impersonationId },
      },
    );
}
