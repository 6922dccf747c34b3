import { SealedDataRefused } from '@gatehouse/auth-core';
import { listStaleConnections, type StoredTokens, setStoredTokens } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../core/context.js';
import { connectionSecretContext } from './connection-secret-context.js';

const AT_ONCE = 100;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts provider tokens that still use it, so that it
 * can be removed. Tokens that no known key decrypts are marked and left unchanged.
 */
export const connectionResealing: Job<Services> = {
  name: 'social-resealing',
  everyMs: 60 * 60_000,
  restsBetweenRuns: true,
  async run(services) {
    if (services.config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const { currentPrefix } = services.cipher;
    const stale = await listStaleConnections(services.db, { currentPrefix, limit: AT_ONCE });
    for (const row of stale) await setStoredTokens(services.db, row, sealedAnew(services, row));
    return stale.length;
  },
};

function sealedAnew({ cipher }: Services, row: StoredTokens) {
  const anew = (sealed: string | null, column: 'accessToken' | 'refreshToken') => {
    const context = connectionSecretContext(row, column);
    return sealed === null ? null : cipher.seal(cipher.open(sealed, context), context);
  };
  try {
    return {
      accessToken: anew(row.accessToken, 'accessToken'),
      refreshToken: anew(row.refreshToken, 'refreshToken'),
    };
  } catch (error) {
    if (error instanceof SealedDataRefused) return null;
    throw error;
  }
}
