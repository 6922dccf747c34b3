import type { SessionLapse } from '@gatehouse/auth-core';
import type { TokenState } from '@gatehouse/db';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import type { Config } from './config.js';

type Bounds = Pick<
  Config,
  'JWT_EXPIRES_IN' | 'SESSION_ABSOLUTE' | 'SESSION_IDLE' | 'STAFF_SESSION_ABSOLUTE' | 'STAFF_SESSION_IDLE'
>;
type Person = Pick<MemberSnapshot, 'isPersonnel'>;

/** SESSION_ABSOLUTE unless it is set; a longer JWT_EXPIRES_IN counts instead. */
const ABSOLUTE_SECONDS = 30 * 86_400;

/** When a session ends that began at `begunAtMs`, however often it is refreshed and used. */
export function absoluteEnd(config: Bounds, { isPersonnel }: Person, begunAtMs: number): number {
  const { SESSION_ABSOLUTE, STAFF_SESSION_ABSOLUTE, JWT_EXPIRES_IN } = config;
  const seconds = SESSION_ABSOLUTE ?? Math.max(ABSOLUTE_SECONDS, JWT_EXPIRES_IN);
  const most = isPersonnel ? Math.min(seconds, STAFF_SESSION_ABSOLUTE ?? seconds) : seconds;
  return begunAtMs + most * 1000;
}

/** How long a session may stay unused, in milliseconds; undefined without a limit. */
export function idleLimit(config: Bounds, { isPersonnel }: Person): number | undefined {
  const { SESSION_IDLE, STAFF_SESSION_IDLE } = config;
  const seconds = isPersonnel ? (STAFF_SESSION_IDLE ?? SESSION_IDLE) : SESSION_IDLE;
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Why a session that nobody ended is over; undefined while it is not. The end of an impersonation is its own. */
export function lapseOf(
  config: Bounds,
  member: Person,
  { state: { session }, issuedAtMs, nowMs }: { state: TokenState; issuedAtMs: number; nowMs: number },
): SessionLapse | undefined {
  if (session !== undefined && session.impersonation !== null) return undefined;
  const begunAtMs = session?.authTimeMs ?? issuedAtMs;
  if (nowMs >= (session?.absoluteUntilMs ?? Number.POSITIVE_INFINITY)) return 'too old';
  if (nowMs >= absoluteEnd(config, member, begunAtMs)) return 'too old';
  if (session === undefined) return undefined;
  if (session.retiresAtMs !== null && nowMs >= session.retiresAtMs) return 'refreshed';
  const idleMs = idleLimit(config, member);
  return idleMs !== undefined && nowMs - session.lastSeenAtMs >= idleMs ? 'idle' : undefined;
}
