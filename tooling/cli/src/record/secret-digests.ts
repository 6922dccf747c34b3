import { createHmac } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import type { Json } from './json.js';

const MARK = 'digest:';

/** A digest, where it stands in a text. */
const DIGEST = /digest:[\w-]{22}/g;

/**
 * Shapes of secrets, wherever they stand: JSON web tokens, bcrypt hashes, the plain token of the replaced system, and other text of 32
 * letters and digits or more, as keys and sessions are.
 */
const SHAPES =
  /(?<![\w-])(?:eyJ[\w-]+\.[\w-]+\.[\w-]*|\d+_\d{10,}_\d+|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,})(?![\w-])|\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/g;

const NAMES =
  /(?:password|passwd|pass|pwd|token|secret|secretkey|apikey|cookie|signature|signedrequest|authorization|credential|hash|otp|pin|sessionid)$|^(?:code|backupcode|ptoken|credentials)$/;

/** Whether what has this name is a secret: a field, a header, a parameter. */
export function namesSecret(name: string): boolean {
  return NAMES.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** The digests in a recorded text. */
export function digestsIn(text: string): readonly string[] {
  return text.match(DIGEST) ?? [];
}

/** Replaces every digest of a recorded text. */
export function replaceDigests(text: string, replace: (digest: string) => string): string {
  return text.replace(DIGEST, replace);
}

/** Whether a text has secrets in it, by their shape. */
export const hasSecrets = (text: string): boolean => text.search(SHAPES) !== -1;

/** The text with a mark in place of each secret in it. */
export const maskSecrets = (text: string): string => text.replace(SHAPES, '(secret)');

/** The parts of a text: its secrets, and what stands between them. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: secret, index } of text.matchAll(SHAPES)) {
    parts.push(text.slice(end, index), secret);
    end = index + secret.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== '');
}

/** Keyed digests: equal values have equal ones, and nobody can guess a value from one without the key. */
export interface SecretDigests {
  of(value: Json): string;
  /** The text with a digest in place of each secret in it. */
  within(text: string): string;
  /** A digest in place of each part of the text. */
  ofParts(text: string): string;
}

export function createSecretDigests(key: Buffer): SecretDigests {
  const of = (value: Json): string =>
    MARK + createHmac('sha256', key).update(canonicalJson(value)).digest('base64url').slice(0, 22);
  return {
    of,
    within: (text) => text.replace(SHAPES, of),
    ofParts: (text) => partsOf(text).map(of).join(' '),
  };
}
