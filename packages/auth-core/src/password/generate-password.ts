import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random password of 12 letters and digits (71 bits), each character equally likely. */
export function generatePassword(pick: (below: number) => number = randomInt): string {
  return Array.from({ length: 12 }, () => ALPHABET.charAt(pick(ALPHABET.length))).join('');
}
