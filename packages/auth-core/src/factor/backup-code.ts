import { randomInt } from 'node:crypto';
import { readTyped } from './read-digits.js';

/** Crockford's alphabet has no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 65 bits: NIST SP 800-63B-4 asks for 64. */
const LENGTH = 13;
const COUNT = 10;

/** Ten codes that are shown once, each in three groups. */
export function generateBackupCodes(randomBelow: (limit: number) => number = randomInt): string[] {
  return Array.from({ length: COUNT }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('');
    return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
  });
}

/** A code as it was generated, from what somebody typed: any case, O as 0, I and L as 1. Undefined if it is none. */
export function readBackupCode(submitted: string): string | undefined {
  const code = readTyped(submitted).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character))
    ? code
    : undefined;
}
