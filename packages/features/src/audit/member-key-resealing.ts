import { listStaleMemberKeys, setMemberKey } from '@gatehouse/db';
import type { Job } from '@gatehouse/runtime/jobs/job';
import type { Services } from '../core/context.js';
import { sealedAnew } from './member-cipher.js';

const AT_ONCE = 500;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the members' keys that still use it, so that it
 * can be removed.
 */
export const memberKeyResealing: Job<Services> = {
  name: 'member-key-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run({ db, cipher, config }) {
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const stale = await listStaleMemberKeys(db, { currentPrefix: cipher.currentPrefix, limit: AT_ONCE });
    for (const { memberId, key } of stale) {
      await setMemberKey(db, { memberId, expectedKey: key, key: sealedAnew(cipher, memberId, key) });
    }
    return stale.length;
  },
};
