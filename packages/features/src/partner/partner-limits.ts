import { sha256Hex } from '@gatehouse/auth-core';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/network-of';
import type { Context } from '../core/context.js';

const MINUTE_MS = 60_000;
const ATTEMPT_WINDOW_MS = 15 * MINUTE_MS;

/**
 * Failed authentications from one address, and from one address for one partner. Nobody else can lock a partner
 * out.
 */
export function authenticationLimits({ call }: Context, partnerId: string | number): readonly Limit[] {
  const from = `partner-auth:${networkOf(call.address)}`;
  return [
    { key: from, name: 'partner-address', most: 100, windowMs: ATTEMPT_WINDOW_MS },
    {
      key: `${from}:${sha256Hex(String(partnerId)).slice(0, 32)}`,
      name: 'partner',
      most: 30,
      windowMs: ATTEMPT_WINDOW_MS,
    },
  ];
}

/** The calls that one partner may make in a minute. */
export function callLimit({ services }: Context, partnerId: number): Limit {
  return {
    key: `partner-calls:${partnerId}`,
    most: services.config.PARTNER_CALLS_PER_MINUTE,
    windowMs: MINUTE_MS,
  };
}

/** How many members a partner may register per minute; each costs a password hash. */
export function registrationLimit({ services }: Context, partnerId: number): Limit {
  return {
    key: `partner-registrations:${partnerId}`,
    name: 'partner-registrations',
    most: services.config.PARTNER_REGISTRATIONS_PER_MINUTE,
    windowMs: MINUTE_MS,
  };
}

/** How often a member may sign in at a partner per minute. */
export function signInLimit(memberId: number): Limit {
  return { key: `partner-sign-in:${memberId}`, name: 'partner-sign-in', most: 60, windowMs: MINUTE_MS };
}
