import { sha256Hex } from '@gatehouse/auth-core';
import { recordRefusedLogin } from '@gatehouse/db';
import { networkOf } from '@gatehouse/runtime/network/network-of';
import type { Context } from '../../core/context.js';

const WINDOW_MS = 15 * 60_000;
const MEMBERS = 20;

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
  await watchSpraying({ services, call }, refusal.memberId === undefined ? login : String(refusal.memberId));
}

/** Counts the members that one address fails for, and logs it at the twentieth of a quarter of an hour. */
async function watchSpraying({ services, call }: Context, holder: string): Promise<void> {
  const network = networkOf(call.address);
  const consume = async (key: string, most: number) =>
    (await services.limits.consume({ key: `spraying:${key}`, most, windowMs: WINDOW_MS })).isAllowed;
  const digest = sha256Hex(holder).slice(0, 32);
  if (!(await consume(`${network}:${digest}`, 1))) return;
  if (await consume(network, MEMBERS - 1)) return;
  if (!(await consume(`${network}:told`, 1))) return;
  services.log.security({ event: 'login.spraying', requestId: call.requestId, address: call.address });
}
