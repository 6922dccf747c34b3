import { createCipheriv, scrypt } from 'node:crypto';
import { readCanonicalBase64 } from './canonical-base64.js';
import { type ForeignKey, THREAD_MS } from './foreign-key.js';

/** The binary logarithm of the least N. Less is as quick to guess as a bare digest. */
const MIN_LOG_N = 10;

/** That of the largest N that is computed. */
const MAX_LOG_N = 17;

/** N × r × p, 128 bytes each: what N = 2^17 with blocks of 8 takes. */
const MAX_WORK = 2 ** 20;

/** For one of these. */
const BLOCK_MS = 0.0012;

/** What OpenSSL may allocate: 128 MiB for the largest N, and its buffers. */
const MAX_MEMORY = 2 ** 28;

const MAX_SALT_BYTES = 64;

const PHC =
  /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d{0,2}),p=([1-9]\d{0,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/;

const WERKZEUG =
  /^scrypt:([1-9]\d{0,5}):([1-9]\d{0,2}):([1-9]\d{0,2})\$([\x21-\x23\x25-\x7e]{1,64})\$([0-9a-f]{128})$/;

const BETTER_AUTH = /^([0-9a-f]{32}):([0-9a-f]{128})$/;

const FIREBASE =
  /^firebase\$([1-8])\$([1-9]|1[0-4])\$([A-Za-z0-9+/=]*)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]{88})\$([A-Za-z0-9+/=]{88})$/;

interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * Reads an scrypt hash in the PHC form (passlib's too), of Werkzeug, Better Auth or Firebase, whose parts an import joins to
 * `firebase$<rounds>$<memory cost>$<salt separator>$<salt>$<signer key>$<hash>`. Undefined for any other text, for N
 * below 2^10, and for more work than N = 2^17 with blocks of 8.
 */
export function readScryptHash(text: string): ForeignKey | undefined {
  return readPhc(text) ?? readWerkzeug(text) ?? readBetterAuth(text) ?? readFirebase(text);
}

function readPhc(text: string): ForeignKey | undefined {
  const [, logN, r, p, salt, key] = PHC.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const cost = readCost(2 ** Number(logN), Number(r), Number(p));
  const saltBytes = readCanonicalBase64(salt, 'unpadded');
  const expected = readCanonicalBase64(key, 'unpadded');
  if (!cost || !expected || !isSalt(saltBytes)) return undefined;
  return {
    expected,
    costMs: costMs(cost),
    derive: (plain) => deriveScrypt(plain, saltBytes, expected.length, cost),
  };
}

function readWerkzeug(text: string): ForeignKey | undefined {
  const [, n, r, p, salt, key] = WERKZEUG.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const cost = readCost(Number(n), Number(r), Number(p));
  if (!cost) return undefined;
  const expected = Buffer.from(key, 'hex');
  return {
    expected,
    costMs: costMs(cost),
    derive: (plain) => deriveScrypt(plain, Buffer.from(salt), expected.length, cost),
  };
}

const BETTER_AUTH_COST: ScryptCost = { N: 2 ** 14, r: 16, p: 1 };

/** Better Auth takes the hexadecimal text for the salt, not its bytes, and normalizes the password. */
function readBetterAuth(text: string): ForeignKey | undefined {
  const [, salt, key] = BETTER_AUTH.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const expected = Buffer.from(key, 'hex');
  return {
    expected,
    costMs: costMs(BETTER_AUTH_COST),
    derive: (plain) =>
      deriveScrypt(plain.normalize('NFKC'), Buffer.from(salt), expected.length, BETTER_AUTH_COST),
  };
}

const AES_KEY_BYTES = 32;

/** Firebase encrypts the signer key of the project with the derived key, AES-256 in counter mode from 0. */
function readFirebase(text: string): ForeignKey | undefined {
  const [, r, logN, ...parts] = FIREBASE.exec(text) ?? [];
  const [separator, salt, signerKey, expected] = parts.map((part) => readCanonicalBase64(part, 'padded'));
  const cost = readCost(2 ** Number(logN), Number(r), 1);
  if (!cost || !separator || !signerKey || !expected || !isSalt(salt)) return undefined;
  if (signerKey.length !== expected.length) return undefined;
  return {
    expected,
    costMs: costMs(cost),
    derive: async (plain) => {
      const key = await deriveScrypt(plain, Buffer.concat([salt, separator]), AES_KEY_BYTES, cost);
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
      return Buffer.concat([cipher.update(signerKey), cipher.final()]);
    },
  };
}

function isSalt(bytes: Buffer | undefined): bytes is Buffer {
  return bytes !== undefined && bytes.length > 0 && bytes.length <= MAX_SALT_BYTES;
}

/** RFC 7914 allows a power of two below 2^(128 r / 8) for N. */
function readCost(N: number, r: number, p: number): ScryptCost | undefined {
  const logN = Math.log2(N);
  if (!Number.isInteger(logN) || logN < MIN_LOG_N || logN > MAX_LOG_N || logN >= 16 * r) return undefined;
  return N * r * p <= MAX_WORK ? { N, r, p } : undefined;
}

function costMs({ N, r, p }: ScryptCost): number {
  return THREAD_MS + BLOCK_MS * N * r * p;
}

function deriveScrypt(plain: string, salt: Buffer, byteCount: number, cost: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(plain, salt, byteCount, { ...cost, maxmem: MAX_MEMORY }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
