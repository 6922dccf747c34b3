import { listSigningKeys, setSigningKeySecret } from '@gatehouse/db/queries/signing-keys';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { sealedAnew } from '../../core/access/signing-keys.js';
import type { Services } from '../../core/context.js';

/** While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the signing keys that still use it, so that it can be removed. */
export const signingKeyResealing: Job<Services> = {
  name: 'signing-key-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run({ db, cipher, config }) {
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const stale = (await listSigningKeys(db)).filter(({ privateKey }) => !cipher.isCurrent(privateKey));
    for (const row of stale) {
      const privateKey = sealedAnew(cipher, row);
      await setSigningKeySecret(db, { id: row.id, before: row.privateKey, privateKey });
    }
    return stale.length;
  },
};
