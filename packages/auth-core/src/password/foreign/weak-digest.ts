import { createHash } from 'node:crypto';
import { readCanonicalBase64 } from './canonical-base64.js';

/** The digests of other systems that are accepted inside bcrypt, with their lengths in bytes. */
const BYTES = { md5: 16, sha1: 20, sha256: 32 } as const;

export type WeakAlgorithm = keyof typeof BYTES;

const ALGORITHMS: readonly WeakAlgorithm[] = ['md5', 'sha1', 'sha256'];

/** How LDAP names them (RFC 2307), with a salt too. */
const LDAP: Readonly<Record<string, WeakAlgorithm>> = {
  MD5: 'md5',
  SHA: 'sha1',
  SHA1: 'sha1',
  SHA256: 'sha256',
};

const LDAP_FORM = /^\{(S?)(MD5|SHA|SHA1|SHA256)\}([A-Za-z0-9+/]+={0,2})$/;

/** Both sides of what LDAP servers write. */
const SALT_BYTES = { least: 4, most: 64 } as const;

/** A digest of another system, which is quick to guess: it is not stored itself. */
export interface WeakDigest {
  readonly algorithm: WeakAlgorithm;
  readonly digest: Buffer;
  /** What follows the password. */
  readonly salt: Buffer;
}

/**
 * Reads MD5, SHA-1 and SHA-256, in hexadecimal or as LDAP writes them: `{SHA}…`, `{SSHA}…`. Undefined for every other text.
 */
export function readWeakDigest(text: string): WeakDigest | undefined {
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text)) {
    const algorithm = ALGORITHMS.find((each) => BYTES[each] * 2 === text.length);
    return algorithm && { algorithm, digest: Buffer.from(text, 'hex'), salt: Buffer.alloc(0) };
  }
  const [, salted, name, base64] = LDAP_FORM.exec(text) ?? [];
  const algorithm = name === undefined ? undefined : LDAP[name];
  const bytes = base64 === undefined ? undefined : readCanonicalBase64(base64, 'padded');
  if (algorithm === undefined || bytes === undefined) return undefined;
  const length = BYTES[algorithm];
  const salt = bytes.subarray(length);
  const isWhole =
    salted === ''
      ? bytes.length === length
      : salt.length >= SALT_BYTES.least && salt.length <= SALT_BYTES.most;
  return isWhole ? { algorithm, digest: bytes.subarray(0, length), salt } : undefined;
}

/** What bcrypt gets in place of the password. */
export function digestText({ algorithm, salt }: Omit<WeakDigest, 'digest'>, plain: string): string {
  return createHash(algorithm).update(plain).update(salt).digest('base64');
}
