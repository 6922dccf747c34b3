import { timingSafeEqual } from 'node:crypto';
import { fitsBcrypt, normalizePassword } from '../password-policy.js';
import { readArgon2Hash } from './argon2-hash.js';
import type { ForeignKey } from './foreign-key.js';
import type { RunHashJob } from './hash-job.js';
import { readPbkdf2Hash } from './pbkdf2-hash.js';
import { readPhpassHash } from './phpass-hash.js';
import { readScryptHash } from './scrypt-hash.js';
import { readShaCryptHash } from './sha-crypt-hash.js';

/** The kinds of password hashes that other systems keep, and that are not bcrypt. */
export type ForeignHashKind = 'pbkdf2' | 'scrypt' | 'argon2' | 'phpass' | 'sha-crypt';

const READERS: Readonly<Record<ForeignHashKind, (text: string) => ForeignKey | undefined>> = {
  pbkdf2: readPbkdf2Hash,
  scrypt: readScryptHash,
  argon2: readArgon2Hash,
  phpass: readPhpassHash,
  'sha-crypt': readShaCryptHash,
};

const MARK = '$foreign$';

const STORED = /^\$foreign\$([a-z0-9-]+)\$(.+)$/;

const MAX_LENGTH = 255;

/** A stored hash of another system. */
export interface ForeignHash extends ForeignKey {
  readonly kind: ForeignHashKind;
}

/**
 * What is stored for the hash of another system, `$foreign$<kind>$<its text>`. Undefined for a text that is not recognized, is damaged
 * or not written the one way its maker writes it, costs too little to be safe or too much to compare, or is too long to store.
 */
export function foreignHash(text: string): string | undefined {
  for (const [kind, read] of Object.entries(READERS)) {
    const stored = `${MARK}${kind}$${text}`;
    if (stored.length <= MAX_LENGTH && read(text)) return stored;
  }
  return undefined;
}

/** Whether a stored value is one that `foreignHash` made, or was before it was damaged. */
export function hasForeignMark(stored: string): boolean {
  return stored.startsWith(MARK);
}

/** Reads a stored foreign hash. Undefined if it is none, or was damaged after it was stored. */
export function readForeignHash(stored: string): ForeignHash | undefined {
  if (!hasForeignMark(stored) || stored.length > MAX_LENGTH) return undefined;
  const [, kind, text] = STORED.exec(stored) ?? [];
  if (kind === undefined || text === undefined || !isKind(kind)) return undefined;
  const key = READERS[kind](text);
  return key && { kind, ...key };
}

/**
 * Whether a password matches a foreign hash: in normalized form or, if that differs, as it was sent. False for one that is empty,
 * has a NUL, or is longer than our own hash can take, also after normalization. The time reveals the kind and its cost: the
 * caller hides them.
 * @throws Error if the key cannot be derived at all
 */
export async function verifyForeignHash(
  plain: string,
  hash: ForeignHash,
  runHashJob: RunHashJob,
): Promise<boolean> {
  const normalized = normalizePassword(plain);
  if (await matches(normalized, hash, runHashJob)) return true;
  return normalized !== plain && matches(plain, hash, runHashJob);
}

async function matches(plain: string, { expected, derive }: ForeignHash, run: RunHashJob): Promise<boolean> {
  const isReadable = isComparable(plain);
  const key = await derive(isReadable ? plain : ' ', run);
  return key.length === expected.length && timingSafeEqual(key, expected) && isReadable;
}

/** PBKDF2 and scrypt ignore NUL at the end of a password. */
function isComparable(plain: string): boolean {
  return plain !== '' && !plain.includes('\0') && fitsBcrypt(plain) && fitsBcrypt(normalizePassword(plain));
}

function isKind(kind: string): kind is ForeignHashKind {
  return Object.hasOwn(READERS, kind);
}
