import { sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { RecentSession } from '@gatehouse/db/queries/list-sessions';
import { isFamiliarOrigin, recordFamiliarOrigins } from '@gatehouse/db/queries/login-failures';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type { Context } from '../context.js';
import { familiarBucket, originKeyOf } from './login-limits.js';

const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** The browser and system of a User-Agent, in our own words: a mail repeats nothing that a caller wrote. */
export function clientName(userAgent: string | undefined): string | undefined {
  const nameIn = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join(', ');
}

/** How long a device stays known after a sign-in. */
export const DEVICE_MS = 90 * 86_400_000;

/** An id that a client made at random and keeps. */
const DEVICE_ID = /^[\w-]{16,128}$/;

/** A device that somebody signed in with. */
interface SeenDevice {
  /** Whether it was seen in the last 90 days. */
  readonly isKnown: boolean;
  /** Whether the client identified the device by an id. */
  readonly hasId: boolean;
}

/**
 * Records, in the session's transaction, that a member signed in from this call's address and with this device: by the
 * id in the `X-Device-Id` header or, without one, by browser and network.
 */
export async function rememberDevice(ctx: Context, tx: Database, memberId: number): Promise<SeenDevice> {
  const { call, services } = ctx;
  const id = deviceIdOf(ctx);
  const device = id === undefined ? `${browserOf(call.userAgent)} ${networkOf(call.address)}` : `id ${id}`;
  const [, isKnown] = await recordFamiliarOrigins(tx, {
    memberId,
    one: originKeyOf(memberId, networkOf(call.address)),
    other: deviceKeyOf(memberId, device),
    nowMs: services.now(),
  });
  return { isKnown, hasId: id !== undefined };
}

/** Whether a call has the id of a device that the member signed in with lately. An unknown one costs the same look-up. */
async function hasKnownDeviceId(ctx: Context, memberId: number | undefined): Promise<boolean> {
  const { services } = ctx;
  const id = deviceIdOf(ctx);
  if (id === undefined) return false;
  const origin = { memberId: memberId ?? 0, originKey: deviceKeyOf(memberId ?? 0, `id ${id}`) };
  const isKnown = await isFamiliarOrigin(services.db, { ...origin, sinceMs: services.now() - DEVICE_MS });
  return isKnown && memberId !== undefined;
}

/** Whether a session began with this browser in this network, for devices without a record of their own. */
export function isSameDevice({ call }: Context, { address, device }: RecentSession): boolean {
  return browserOf(device) === browserOf(call.userAgent) && networkOf(address) === networkOf(call.address);
}

function deviceIdOf({ call }: Context): string | undefined {
  const id = call.header('x-device-id') ?? '';
  return DEVICE_ID.test(id) ? id : undefined;
}

function deviceKeyOf(memberId: number, device: string): string {
  return sha256Hex(`${memberId} device ${device}`);
}

/** A browser without its version, which changes by itself. */
function browserOf(userAgent: string | undefined): string {
  return clientName(userAgent) ?? (userAgent ?? '').replaceAll(/[\d.]+/g, '');
}

/** How well the person who asks for a mail is known: each degree has its own hourly limit for one address. */
export type AskedFrom = 'device' | 'network' | 'elsewhere';

/**
 * From which kind of place a call asks for the mail of a sign-in. A stranger can use up the mails of places that the member never
 * signed in from, and of no other. An unknown member costs the same look-ups.
 */
export async function askedFrom(ctx: Context, memberId: number | undefined): Promise<AskedFrom> {
  if (await hasKnownDeviceId(ctx, memberId)) return 'device';
  return (await familiarBucket(ctx, memberId)) === '' ? 'elsewhere' : 'network';
}
