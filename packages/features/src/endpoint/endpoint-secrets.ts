import { randomBytes } from 'node:crypto';
import { SealedDataRefused } from '@gatehouse/auth-core';
import {
  type EndpointRow,
  type EndpointSecrets,
  listStaleEndpoints,
  setEndpointSecrets,
} from '@gatehouse/db/queries/event-endpoints';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { SECRET_PREFIX } from '@gatehouse/runtime/network/signature-headers';
import type { Services } from '../core/context.js';

const SECRET_BYTES = 32;

/** A new secret of an endpoint, as Standard Webhooks writes it. */
export function generateEndpointSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The encryption context of an endpoint's secrets. */
export const endpointSecretContext = (endpointId: number): string => `eventEndpoint:${endpointId}:secret`;

export function sealEndpointSecret(
  { cipher }: Pick<Services, 'cipher'>,
  endpointId: number,
  secret: string,
): string {
  return cipher.seal(secret, endpointSecretContext(endpointId));
}

/** The secrets that sign now, newest first: one, or two while a rotation lasts; none if no key can decrypt the newest. */
export function openEndpointSecrets(
  { cipher }: Pick<Services, 'cipher'>,
  { id, secret, previousSecret, previousUntilMs }: EndpointSecrets & Pick<EndpointRow, 'previousUntilMs'>,
  nowMs: number,
): string[] {
  const open = (sealed: string) => openIfReadable(cipher, sealed, endpointSecretContext(id));
  const newest = open(secret);
  const hasPrevious = previousSecret !== null && previousUntilMs !== null && previousUntilMs > nowMs;
  return hasPrevious && newest.length > 0 ? [...newest, ...open(previousSecret)] : newest;
}

function openIfReadable(cipher: Services['cipher'], sealed: string, context: string): [] | [string] {
  try {
    return [cipher.open(sealed, context)];
  } catch (error) {
    if (error instanceof SealedDataRefused) return [];
    throw error;
  }
}

const AT_ONCE = 500;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the secrets of endpoints that still use it, so that it can be
 * removed.
 */
export const endpointResealing: Job<Services> = {
  name: 'endpoint-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run(services) {
    const { cipher, config, db, stopping } = services;
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    let resealed = 0;
    // All pages: endpoints whose secret no key can decrypt stay stale, and must not hide those after them.
    for (let afterId: number | undefined = 0; afterId !== undefined && !stopping.signal.aborted; ) {
      const page = { afterId, currentPrefix: cipher.currentPrefix, limit: AT_ONCE };
      const stale: EndpointSecrets[] = await listStaleEndpoints(db, page);
      for (const row of stale) if (await tryReseal(services, row)) resealed += 1;
      afterId = stale.length < AT_ONCE ? undefined : stale.at(-1)?.id;
    }
    return resealed;
  },
};

async function tryReseal({ cipher, db, log }: Services, row: EndpointSecrets): Promise<boolean> {
  try {
    await setEndpointSecrets(db, row, resealedSecrets(cipher, row));
    return true;
  } catch (error) {
    if (!(error instanceof SealedDataRefused)) throw error;
    log.failure(`job endpoint-resealing, endpoint ${row.id}`, error);
    return false;
  }
}

/** The secrets encrypted with the current key. A previous secret that no key can decrypt cannot sign anything, and is dropped. */
function resealedSecrets(cipher: Services['cipher'], { id, secret, previousSecret }: EndpointSecrets) {
  const context = endpointSecretContext(id);
  const anew = (sealed: string) => cipher.seal(cipher.open(sealed, context), context);
  const [previous] = previousSecret === null ? [] : openIfReadable(cipher, previousSecret, context);
  return {
    secret: anew(secret),
    previousSecret: previous === undefined ? null : cipher.seal(previous, context),
  };
}
