import { type DataCipher, SealedDataRefused } from '@gatehouse/auth-core';
import { listStaleSsoSecrets, type SsoSecrets, setSsoSecrets } from '@gatehouse/db/queries/sso-connections';
import type { SsoSettings } from '@gatehouse/db/tables/sso-tables';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';

/** The settings of a connection, and the encrypted secret that belongs to them. */
export interface StoredSettings {
  readonly settings: SsoSettings;
  readonly secret: string | null;
}

/** The encryption context of the secrets of a connection. */
export function ssoSecretContext(key: string): string {
  return `ssoConnection:${key}`;
}

export function sealSecret(cipher: DataCipher, key: string, secret: string): string {
  return cipher.seal(secret, ssoSecretContext(key));
}

export function openSecret(cipher: DataCipher, key: string, sealed: string): string {
  return cipher.open(sealed, ssoSecretContext(key));
}

const AT_ONCE = 100;

/** While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the secrets of connections that still use it, so that it can be removed. */
export const ssoResealing: Job<Services> = {
  name: 'sso-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run(services) {
    const { cipher, config, db, stopping } = services;
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    let resealed = 0;
    // All pages: connections whose secret no key can decrypt stay stale, and must not hide those after them.
    for (let afterId: number | undefined = 0; afterId !== undefined && !stopping.signal.aborted; ) {
      const page = { afterId, currentPrefix: cipher.currentPrefix, limit: AT_ONCE };
      const stale: SsoSecrets[] = await listStaleSsoSecrets(db, page);
      for (const row of stale) if (await tryReseal(services, row)) resealed += 1;
      afterId = stale.length < AT_ONCE ? undefined : stale.at(-1)?.id;
    }
    return resealed;
  },
};

async function tryReseal({ cipher, db, log }: Services, row: SsoSecrets): Promise<boolean> {
  const { key, secret, liveSecret } = row;
  const anew = (sealed: string | null) =>
    sealed === null ? null : sealSecret(cipher, key, openSecret(cipher, key, sealed));
  try {
    await setSsoSecrets(db, row, { secret: anew(secret), liveSecret: anew(liveSecret) });
    return true;
  } catch (error) {
    if (!(error instanceof SealedDataRefused)) throw error;
    log.failure(`job sso-resealing, connection ${row.id}`, error);
    return false;
  }
}
