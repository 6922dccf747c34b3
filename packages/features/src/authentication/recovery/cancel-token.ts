import { timingSafeEqualText } from '@gatehouse/auth-core';
import type { Services } from '../../core/app/services.js';

/** The token of a mailed link that cancels one recovery, as long as it is open. */
export function sealCancelToken({ cipher }: Pick<Services, 'cipher'>, recoveryId: number): string {
  return `${recoveryId}.${digestsOf(cipher, recoveryId)[0]}`;
}

/** The recovery that a token cancels; undefined for one that we did not make. */
export function openCancelToken({ cipher }: Pick<Services, 'cipher'>, token: string): number | undefined {
  const [, id = '', digest = ''] = /^([1-9][0-9]{0,14})\.([0-9a-f]{64})$/.exec(token) ?? [];
  const recoveryId = Number(id);
  const isOurs = digestsOf(cipher, recoveryId).some((known) => timingSafeEqualText(known, digest));
  return isOurs ? recoveryId : undefined;
}

function digestsOf(cipher: Services['cipher'], recoveryId: number): readonly [string, ...string[]] {
  return cipher.digests(String(recoveryId), 'recoveryCancel');
}
