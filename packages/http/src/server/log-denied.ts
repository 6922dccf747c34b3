import type { Failure } from './errors.js';
import type { RequestContext } from './request-context.js';

/** Writes a refusal of access to the security log and ignores other failures. */
export function logDenied({ call, services }: RequestContext, { code, status }: Failure): void {
  if (status !== 403 && code !== 'unauthorized' && code !== 'invalid_partner_token') return;
  services.log.security({
    event: 'access.denied',
    requestId: call.requestId,
    address: call.address,
    actorId: call.facts.acting?.actorId ?? call.facts.memberId,
    memberId: call.facts.memberId,
    accountId: call.facts.accountId,
    reason: code,
  });
}
