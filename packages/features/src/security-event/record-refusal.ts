import { sha256Hex } from '@gatehouse/auth-core';
import { recordRefusedLogin } from '@gatehouse/db';
import type { Context } from '../app/context.js';

/** Records a refused login as a security event of the intended member, or of nobody. */
export async function recordRefusal(
  { services, call }: Context,
  {
    login,
    ...refusal
  }: {
    readonly memberId: number | undefined;
    /** The login name in the request. */
    readonly login: string;
    readonly outcome: 'failed' | 'locked';
  },
): Promise<void> {
  await recordRefusedLogin(services.db, {
    ...refusal,
    nameDigest: sha256Hex(login).slice(0, 32),
    address: call.address,
    device: call.userAgent ?? '',
    nowMs: services.now(),
  });
}
