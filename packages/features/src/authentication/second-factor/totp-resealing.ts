import { listStaleTotps, setTotpSecrets } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../../core/app/services.js';
import { openTotpSecret, sealTotpSecret } from './totp-secret.js';

const AT_ONCE = 500;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the secrets of authenticator apps that still use it,
 * so that it can be removed. Digests of backup codes cannot be renewed: they count until that key is removed.
 */
export const totpResealing: Job<Services> = {
  name: 'totp-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run(services) {
    if (services.config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const { currentPrefix } = services.cipher;
    const stale = await listStaleTotps(services.db, { currentPrefix, limit: AT_ONCE });
    for (const row of stale) {
      const anew = (sealed: string | null) =>
        sealed === null
          ? null
          : sealTotpSecret(services, row.memberId, openTotpSecret(services, row.memberId, sealed));
      await setTotpSecrets(services.db, row, {
        secret: anew(row.secret),
        pendingSecret: anew(row.pendingSecret),
      });
    }
    return stale.length;
  },
};
