import type { Database } from '@gatehouse/db/database';
import { type EndpointRow, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import type { Services } from '../core/context.js';
import { disableEndpoint, tellManagers } from './disable-endpoint.js';
import { isSuccess, type Sent } from './send-event.js';

const HOUR_MS = 3_600_000;

/** How long an endpoint fails before its managers get a mail. */
const TOLD_AFTER_MS = 24 * HOUR_MS;

/** An endpoint is disabled after failing for this long and this often. */
const DISABLED_AFTER_MS = 72 * HOUR_MS;

const DISABLED_AFTER_FAILURES = 20;

/**
 * Stores what attempts say of an endpoint, which the caller has locked: it is healthy, it fails, or it is disabled.
 * @returns whether it wrote mails
 */
export async function recordHealth(
  tx: Database,
  services: Services,
  endpoint: EndpointRow,
  sent: readonly Sent[],
): Promise<boolean> {
  if (sent.length === 0) return false;
  const nowMs = services.now();
  const isGone = sent.some(({ status }) => status === 410);
  if (!isGone && sent.some(isSuccess)) {
    const healthy = { failures: 0, failingSinceMs: null, notifiedAtMs: null, lastSuccessAtMs: nowMs };
    await setEndpoint(tx, endpoint.id, healthy);
    return false;
  }
  const failures = endpoint.failures + sent.filter((each) => !isSuccess(each)).length;
  const failingSinceMs = endpoint.failingSinceMs ?? nowMs;
  const failingMs = nowMs - failingSinceMs;
  const failing = { ...endpoint, failures, failingSinceMs };
  await setEndpoint(tx, endpoint.id, { failures, failingSinceMs });
  if (isGone) {
    await disableEndpoint(tx, services, failing, 'gone');
    return true;
  }
  if (failingMs >= DISABLED_AFTER_MS && failures >= DISABLED_AFTER_FAILURES) {
    await disableEndpoint(tx, services, failing, 'failing');
    return true;
  }
  if (failingMs < TOLD_AFTER_MS || endpoint.notifiedAtMs !== null) return false;
  await setEndpoint(tx, endpoint.id, { notifiedAtMs: nowMs });
  await tellManagers(tx, services, failing, null);
  return true;
}
