import type { Services } from '../core/context.js';
import { recordAudit } from './record-audit.js';

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
