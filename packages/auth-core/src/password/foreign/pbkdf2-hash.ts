import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type Base64Form, readCanonicalBase64 } from './canonical-base64.js';
import { type ForeignKey, THREAD_MS } from './foreign-key.js';

/** What ASP.NET Identity 2 takes. Fewer are as quick to guess as a bare digest. */
const MIN_ROUNDS = 1000;

/** The costliest hash that is compared. */
const MAX_ROUNDS = 2_000_000;

const MAX_SALT_BYTES = 64;

const KEY_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** For each part of the key that is as long as the digest. */
const ROUND_MS = { sha1: 0.001, sha256: 0.001, sha512: 0.0025 } as const;

type Digest = keyof typeof KEY_BYTES;

const DJANGO = /^pbkdf2_(sha1|sha256)\$([1-9]\d{0,6})\$([\x21-\x23\x25-\x7e]{1,64})\$([A-Za-z0-9+/=]+)$/;

const PASSLIB = /^\$pbkdf2(?:-(sha256|sha512))?\$([1-9]\d{0,6})\$([A-Za-z0-9./]+)\$([A-Za-z0-9./]+)$/;

const WERKZEUG = /^pbkdf2:(sha1|sha256|sha512):([1-9]\d{0,6})\$([\x21-\x23\x25-\x7e]{1,64})\$([0-9a-f]+)$/;

const KEYCLOAK = /^pbkdf2-(sha256|sha512)\$([1-9]\d{0,6})\$(256|512)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/**
 * Reads a PBKDF2 hash of Django, passlib, Werkzeug, ASP.NET Identity (version 2 and 3) or Keycloak, whose parts an import
 * joins to `pbkdf2-sha256$<rounds>$<bits of the key>$<salt>$<key>`. Undefined for any other text, and outside
 * 1,000 to 2,000,000 rounds.
 */
export function readPbkdf2Hash(text: string): ForeignKey | undefined {
  return (
    readDjango(text) ?? readPasslib(text) ?? readWerkzeug(text) ?? readKeycloak(text) ?? readAspNet(text)
  );
}

function readDjango(text: string): ForeignKey | undefined {
  const [, digest, rounds, salt, key] = DJANGO.exec(text) ?? [];
  if (!isDigest(digest) || salt === undefined) return undefined;
  return derivedKey(digest, Number(rounds), Buffer.from(salt), readBase64(key, 'padded'), KEY_BYTES[digest]);
}

function readPasslib(text: string): ForeignKey | undefined {
  const [whole, digest = 'sha1', rounds, salt, key] = PASSLIB.exec(text) ?? [];
  if (whole === undefined || !isDigest(digest)) return undefined;
  const saltBytes = readBase64(salt, 'passlib');
  return derivedKey(digest, Number(rounds), saltBytes, readBase64(key, 'passlib'), KEY_BYTES[digest]);
}

function readWerkzeug(text: string): ForeignKey | undefined {
  const [, digest, rounds, salt, key] = WERKZEUG.exec(text) ?? [];
  if (!isDigest(digest) || salt === undefined || key === undefined) return undefined;
  const expected = key.length === KEY_BYTES[digest] * 2 ? Buffer.from(key, 'hex') : undefined;
  return derivedKey(digest, Number(rounds), Buffer.from(salt), expected, KEY_BYTES[digest]);
}

/** Keycloak derives 256 or 512 bits whatever the digest. The length is written, because a key of 256 bits begins one of 512. */
function readKeycloak(text: string): ForeignKey | undefined {
  const [, digest, rounds, bits, salt, key] = KEYCLOAK.exec(text) ?? [];
  if (!isDigest(digest)) return undefined;
  const saltBytes = readBase64(salt, 'padded');
  return derivedKey(digest, Number(rounds), saltBytes, readBase64(key, 'padded'), Number(bits) / 8);
}

const ASP_NET_DIGESTS: readonly Digest[] = ['sha1', 'sha256', 'sha512'];

const ASP_NET_2 = { version: 0, byteCount: 49, saltAt: 1, rounds: MIN_ROUNDS } as const;

const ASP_NET_3 = { version: 1, byteCount: 61, saltAt: 13 } as const;

const ASP_NET_SALT_BYTES = 16;

const ASP_NET_KEY_BYTES = 32;

/** Both versions are bytes: a version, in version 3 the digest, the rounds and the length of the salt, then salt and key. */
function readAspNet(text: string): ForeignKey | undefined {
  const bytes = readCanonicalBase64(text, 'padded');
  if (bytes?.length === ASP_NET_2.byteCount && bytes[0] === ASP_NET_2.version)
    return aspNetKey(bytes, ASP_NET_2.saltAt, 'sha1', ASP_NET_2.rounds);
  if (bytes?.length !== ASP_NET_3.byteCount || bytes[0] !== ASP_NET_3.version) return undefined;
  const digest = ASP_NET_DIGESTS[bytes.readUInt32BE(1)];
  if (digest === undefined || bytes.readUInt32BE(9) !== ASP_NET_SALT_BYTES) return undefined;
  return aspNetKey(bytes, ASP_NET_3.saltAt, digest, bytes.readUInt32BE(5));
}

function aspNetKey(bytes: Buffer, saltAt: number, digest: Digest, rounds: number): ForeignKey | undefined {
  const keyAt = saltAt + ASP_NET_SALT_BYTES;
  return derivedKey(digest, rounds, bytes.subarray(saltAt, keyAt), bytes.subarray(keyAt), ASP_NET_KEY_BYTES);
}

function isDigest(name: string | undefined): name is Digest {
  return name !== undefined && Object.hasOwn(KEY_BYTES, name);
}

function readBase64(text: string | undefined, form: Base64Form): Buffer | undefined {
  return text === undefined ? undefined : readCanonicalBase64(text, form);
}

const derivePbkdf2 = promisify(pbkdf2);

/** A key of any other length is refused: the beginning of a PBKDF2 key is the key of a shorter length. */
function derivedKey(
  digest: Digest,
  rounds: number,
  salt: Buffer | undefined,
  expected: Buffer | undefined,
  byteCount: number,
): ForeignKey | undefined {
  if (salt === undefined || salt.length === 0 || salt.length > MAX_SALT_BYTES) return undefined;
  if (expected?.length !== byteCount || rounds < MIN_ROUNDS || rounds > MAX_ROUNDS) return undefined;
  return {
    expected,
    costMs: THREAD_MS + ROUND_MS[digest] * rounds * Math.ceil(byteCount / KEY_BYTES[digest]),
    derive: (plain) => derivePbkdf2(plain, salt, rounds, byteCount, digest),
  };
}
