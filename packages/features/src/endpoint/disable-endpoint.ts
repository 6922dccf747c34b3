import type { Database } from '@gatehouse/db/database';
import { type EndpointRow, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import type { EndpointFault } from '@gatehouse/db/tables/event-tables';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import { managersOf } from '../core/managers-of.js';
import { consoleLink, screenLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { endpointFacts, endpointSubject } from './endpoint-scope.js';

/** Disables an endpoint that the caller has locked, and notifies its managers. Wake the mail job after the commit. */
export async function disableEndpoint(
  tx: Database,
  services: Services,
  endpoint: EndpointRow,
  fault: EndpointFault,
): Promise<void> {
  const { id } = endpoint;
  const nowMs = services.now();
  await setEndpoint(tx, id, { state: 'disabled', fault, updatedAtMs: nowMs });
  await recordAudit(
    tx,
    { services },
    {
      atMs: nowMs,
      action: 'endpoint.disabled',
      ...endpointSubject(endpoint, id),
      before: null,
      after: endpointFacts(endpoint, { fault }),
    },
  );
  await tellManagers(tx, services, endpoint, fault);
}

/**
 * Mails those who manage the endpoint: the owners of its account, or the staff of base role 0, who also look after partners.
 * @param fault why it was disabled; null while it only fails
 */
export async function tellManagers(
  tx: Database,
  services: Services,
  endpoint: EndpointRow,
  fault: EndpointFault | null,
): Promise<void> {
  const { accountId, url, failingSinceMs } = endpoint;
  const data = {
    host: new URL(url).host,
    fault,
    sinceMs: failingSinceMs ?? services.now(),
    link: endpointLink(services, endpoint),
  };
  for (const { memberId, email } of await managersOf(tx, accountId))
    await queueMail(tx, services, { kind: 'endpointFailing', to: email, memberId, data });
}

/** Where those who manage an endpoint see it. */
function endpointLink({ config }: Services, { id, accountId, partnerId }: EndpointRow): string {
  if (accountId !== null) return screenLink(config, `a/${accountId}/developers/endpoints/${id}`);
  return consoleLink(
    config,
    partnerId === null ? `developers/endpoints/${id}` : `partners/${partnerId}/endpoints/${id}`,
  );
}
