import { readCryptBase64 } from './crypt-base64.js';
import type { ForeignKey } from './foreign-key.js';
import { WORKER_MS } from './hash-job.js';

const KEY_BYTES = 16;

/** `$P$` and phpBB's `$H$` are the same. The next character is the binary logarithm of the rounds: 7 to 19, in crypt's base64. */
const PHPASS = /^\$[PH]\$([5-9A-H])([./A-Za-z0-9]{8})([./A-Za-z0-9]{22})$/;

const ROUNDS = '56789ABCDEFGH';

const FEWEST_LOG = 7;

const ROUND_MS = 0.004;

/** Reads a portable hash of phpass (WordPress before 6.8, phpBB 3). Undefined for any other text, and for 2^20 rounds and more. */
export function readPhpassHash(text: string): ForeignKey | undefined {
  const [, rounds, salt, key] = PHPASS.exec(text) ?? [];
  if (rounds === undefined || salt === undefined || key === undefined) return undefined;
  const expected = readCryptBase64(key, KEY_BYTES);
  if (!expected) return undefined;
  const count = 2 ** (FEWEST_LOG + ROUNDS.indexOf(rounds));
  return {
    expected,
    costMs: WORKER_MS + ROUND_MS * count,
    derive: (plain, run) =>
      run({
        kind: 'phpass',
        password: Buffer.from(plain),
        salt: Buffer.from(salt),
        rounds: count,
      }),
  };
}
