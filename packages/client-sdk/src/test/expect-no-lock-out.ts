import { expect } from 'vitest';

export const PASSWORD = 'Lantern-Harbor-42';

/** The attempts that `LIMITS` allow an attacker. */
const GUESSES = 8;

/** The environment of a service that allows few failures, and trusts a front end on this machine. */
export const FEW_FAILURES = {
  TRUSTED_PROXIES: '127.0.0.1',
  LOGIN_FAILURES_PER_ADDRESS: String(GUESSES),
  LOGIN_FAILURES_PER_MEMBER: '5',
};

interface Member {
  readonly email: string;
}

/**
 * An attacker guesses through a front end until the service refuses them. The victim and others still sign in, and what the
 * attacker writes into X-Forwarded-For has no effect.
 * @param signsIn signs in through the front end, with the X-Forwarded-For of the proxy before it
 */
export async function expectNoLockOut(
  signsIn: (forwardedFor: string, member: { email: string; password: string }) => Promise<boolean>,
  victim: Member,
  other: Member,
): Promise<void> {
  const right = ({ email }: Member) => ({ email, password: PASSWORD });
  const home = '198.51.100.7';
  const attacker = '203.0.113.9';
  expect(await signsIn(home, right(victim))).toBe(true);
  for (let guess = 0; guess < GUESSES; guess += 1)
    expect(await signsIn(`198.51.100.${guess}, ${attacker}`, { ...right(victim), password: 'wrong' })).toBe(
      false,
    );
  expect(await signsIn(home, right(victim))).toBe(true);
  expect(await signsIn('192.0.2.1', right(other))).toBe(true);
  for (const address of [attacker, `${home}, ${attacker}`])
    expect(await signsIn(address, right(other))).toBe(false);
}
