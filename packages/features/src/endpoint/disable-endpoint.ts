import type { Database } from '@gatehouse/db/database';
import { type EndpointRow, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { listOwnersOfAccount } from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { EndpointFault } from '@gatehouse/db/tables/event-tables';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import { queueMail } from '../mail/queue-mail.js';

/** Disables an endpoint that the caller has locked, and tells its managers. Wake the mail job after the commit. */
export async function disableEndpoint(
  tx: Database,
  services: Services,
  endpoint: EndpointRow,
  fault: EndpointFault,
): Promise<void> {
  const { id, accountId } = endpoint;
  const nowMs = services.now();
  await setEndpoint(tx, id, { state: 'disabled', fault, updatedAtMs: nowMs });
  await recordAudit(
    tx,
    { services },
    {
      atMs: nowMs,
      action: 'endpoint.disabled',
      ...(accountId === null ? {} : { accountId }),
      subjectKind: 'endpoint',
      subjectId: id,
      before: null,
      after: { fault },
    },
  );
  await tellManagers(tx, services, endpoint, fault);
}

/**
 * Mails the owners of the endpoint's account, or the staff who saved one of the deployment.
 * @param fault why it was disabled; null while it only fails
 */
export async function tellManagers(
  tx: Database,
  services: Services,
  endpoint: EndpointRow,
  fault: EndpointFault | null,
): Promise<void> {
  const { accountId, savedById, url, failingSinceMs } = endpoint;
  const data = {
    host: new URL(url).host,
    fault,
    sinceMs: failingSinceMs ?? services.now(),
    link: services.config.APP_URL,
  };
  const managers =
    accountId === null ? await staffWho(tx, savedById) : await listOwnersOfAccount(tx, accountId);
  for (const { memberId, email } of managers)
    await queueMail(tx, services, { kind: 'endpointFailing', to: email, memberId, data });
}

async function staffWho(tx: Database, memberId: number): Promise<{ memberId: number; email: string }[]> {
  const member = await findMember(tx, memberId);
  if (!member?.isPersonnel || member.isDeleted || member.email === null) return [];
  return [{ memberId, email: member.email }];
}
