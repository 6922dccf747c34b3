import { readCryptBase64 } from './crypt-base64.js';
import type { ForeignKey } from './foreign-key.js';
import { WORKER_MS } from './hash-job.js';

const FEWEST_ROUNDS = 1000;

const MAX_ROUNDS = 1_000_000;

const IMPLIED_ROUNDS = 5000;

const ROUND_MS = 0.005;

const SHA_CRYPT =
  /^\$([56])\$(?:rounds=([1-9]\d{3,6})\$)?([./A-Za-z0-9]{1,16})\$([./A-Za-z0-9]{43}|[./A-Za-z0-9]{86})$/;

/** Reads a hash of SHA-256 (`$5$`) or SHA-512 (`$6$`) crypt. Undefined for any other text, and outside 1,000 to 1,000,000 rounds. */
export function readShaCryptHash(text: string): ForeignKey | undefined {
  const [, scheme, count, salt, key] = SHA_CRYPT.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const rounds = count === undefined ? IMPLIED_ROUNDS : Number(count);
  if (rounds < FEWEST_ROUNDS || rounds > MAX_ROUNDS) return undefined;
  const digest = scheme === '5' ? 'sha256' : 'sha512';
  const written = readCryptBase64(key, digest === 'sha256' ? 32 : 64);
  if (!written) return undefined;
  return {
    expected: inOrder(written, digest),
    costMs: WORKER_MS + ROUND_MS * rounds,
    derive: (plain, run) =>
      run({
        kind: 'sha-crypt',
        digest,
        password: Buffer.from(plain),
        salt: Buffer.from(salt),
        rounds,
      }),
  };
}

/**
 * The bytes of the digest. Its three thirds are interleaved: each group of three has one byte of each, beginning with another
 * third each time. Bytes that do not fill a group come last.
 */
function inOrder(written: Buffer, digest: 'sha256' | 'sha512'): Buffer {
  const third = Math.floor(written.length / 3);
  const ordered = Buffer.from(written);
  for (let group = 0; group < third; group += 1) {
    const turn = digest === 'sha512' ? group : 2 * group;
    for (let place = 0; place < 3; place += 1)
      ordered[group + third * ((place + turn) % 3)] = written[3 * group + 2 - place] ?? 0;
  }
  return ordered;
}
