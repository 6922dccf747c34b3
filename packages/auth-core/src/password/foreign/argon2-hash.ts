import { readCanonicalBase64 } from './canonical-base64.js';
import type { ForeignKey } from './foreign-key.js';
import { WORKER_MS } from './hash-job.js';

const MAX_MEMORY_KIB = 64 * 1024;

/** Memory in KiB times passes. Less is as quick to guess as a bare digest. */
const MIN_WORK = 1024;

/** Four passes over the largest memory. */
const MAX_WORK = 4 * MAX_MEMORY_KIB;

/** For one pass over one KiB. */
const KIB_MS = 0.006;

const MAX_LANES = 16;

const MIN_SALT_BYTES = 8;

const MIN_KEY_BYTES = 16;

const MAX_BYTES = 64;

const PHC =
  /^\$(argon2d|argon2i|argon2id)\$v=19\$m=([1-9]\d{0,4}),t=([1-9]\d{0,4}),p=([1-9]\d?)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Reads an Argon2 hash of version 1.3 in the PHC form (RFC 9106). Undefined for any other text, for more than 64 MiB, and for
 * less work than one pass over 1 MiB or more than four over 64 MiB.
 */
export function readArgon2Hash(text: string): ForeignKey | undefined {
  const [, variant, m, t, p, salt = '', key = ''] = PHC.exec(text) ?? [];
  if (variant !== 'argon2d' && variant !== 'argon2i' && variant !== 'argon2id') return undefined;
  const [memoryKib, passes, lanes] = [Number(m), Number(t), Number(p)];
  const work = memoryKib * passes;
  if (memoryKib > MAX_MEMORY_KIB || work < MIN_WORK || work > MAX_WORK) return undefined;
  if (lanes > MAX_LANES || memoryKib < 8 * lanes) return undefined;
  const saltBytes = readCanonicalBase64(salt, 'unpadded');
  const expected = readCanonicalBase64(key, 'unpadded');
  if (!hasLength(saltBytes, MIN_SALT_BYTES) || !hasLength(expected, MIN_KEY_BYTES)) return undefined;
  const parameters = {
    kind: 'argon2',
    variant,
    salt: saltBytes,
    memoryKib,
    passes,
    lanes,
    byteCount: expected.length,
  } as const;
  return {
    expected,
    costMs: WORKER_MS + KIB_MS * work,
    derive: (plain, run) => run({ ...parameters, password: Buffer.from(plain) }),
  };
}

function hasLength(bytes: Buffer | undefined, least: number): bytes is Buffer {
  return bytes !== undefined && bytes.length >= least && bytes.length <= MAX_BYTES;
}
