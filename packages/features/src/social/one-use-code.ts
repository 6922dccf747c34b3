import { randomId, sha256Hex } from '@gatehouse/auth-core';

/** How long the codes of social flows are valid, in milliseconds. */
export const CODE_LIFE_MS = 10 * 60_000;

/** A new one-use code of 256 bits, and its stored digest. */
export function newCode(): { code: string; stateKey: string } {
  const code = randomId(32);
  return { code, stateKey: codeKey(code) };
}

/** The digest under which a code is stored. */
export function codeKey(code: string): string {
  return sha256Hex(`socialCode:${code}`);
}
