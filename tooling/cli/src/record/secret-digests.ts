import { createHmac } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import type { Json } from './json.js';

const MARK = 'digest:';

/** A digest, at its place in a text. */
const DIGEST = /digest:[\w-]{22}/g;

/**
 * Shapes of secrets, wherever they occur: JSON web tokens, bcrypt hashes, the plain token of the replaced system, and other text
 * of 32 letters and digits or more, such as keys and sessions.
 */
const SHAPES =
  /(?<![\w-])(?:eyJ[\w-]+\.[\w-]+\.[\w-]*|\d+_\d{10,}_\d+|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,})(?![\w-])|\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/g;

const NAMES =
  /(?:password|passwd|pass|pwd|token|secret|secretkey|apikey|cookie|signature|signedrequest|authorization|credential|hash|otp|pin|sessionid)$|^(?:code|backupcode|ptoken|credentials)$/;

/** Whether something with this name is a secret: a field, a header, a parameter. */
export function namesSecret(name: string): boolean {
  return NAMES.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** What may be a secret in a request: shorter than in `SHAPES`, and base64 too. */
const SUSPECTS = /(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[\w+/-]{20,}={0,2}/g;

const SUSPECT_NAMES =
  /pass|pwd|token|secret|otp|code|key|auth|pin|credential|cookie|signature|signedrequest|hash|sessionid/;

/** Names that contain one of these words by chance, or name a code that everybody knows. */
const KNOWN_NAMES = new Set([
  'author',
  'authorid',
  'countrycode',
  'currencycode',
  'keyword',
  'keywords',
  'languagecode',
  'postalcode',
  'postcode',
  'shipping',
  'zipcode',
]);

/** A pair inside a text, as in the query of an address. */
const PAIRS = /([\w.[\]-]{1,64})=([^\s&;#"']+)/g;

const EMAIL = /^[\w.+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

/** A step of a path that is a word, or a word and a number, as in `getUserdetail7`. */
const WORD = /^[A-Za-z]{1,40}\d{0,12}$/;

/**
 * Whether a value with this name may be a secret. A recording treats more names this way than a comparison does, because a
 * recording is kept.
 */
export function mayNameSecret(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SUSPECT_NAMES.test(plain) && !KNOWN_NAMES.has(plain);
}

/** Whether it is the kind of name that programs give to fields, and not a text in the place of one. */
export const isPlainName = (name: string): boolean =>
  /^[\w.[\]-]{1,64}$/.test(name) && !hasSecrets(name) && name.search(SUSPECTS) === -1;

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

/** The parts of a text: its secrets, and the text between them. */
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
  /** The text with a digest in place of each secret in it. An e-mail address stays. */
  within(text: string): string;
  /** The path with a digest in place of each secret in it. */
  withinPath(path: string): string;
  /** The name, or its digest if it is not a field name. */
  ofName(name: string): string;
  /** A digest in place of each part of the text. */
  ofParts(text: string): string;
}

export function createSecretDigests(key: Buffer): SecretDigests {
  const of = (value: Json): string =>
    MARK + createHmac('sha256', key).update(canonicalJson(value)).digest('base64url').slice(0, 22);
  const within = (text: string): string => {
    if (EMAIL.test(text)) return text;
    const without = text.replace(PAIRS, (pair, name: string, value: string) =>
      mayNameSecret(name) ? `${name}=${of(value)}` : pair,
    );
    return besideDigests(
      besideDigests(without, (piece) => piece.replace(SHAPES, of)),
      (piece) => piece.replace(SUSPECTS, of),
    );
  };
  const withinStep = (step: string): string => {
    if (WORD.test(step)) return step;
    const plain = decoded(step);
    return plain === step || within(plain) === plain ? within(step) : of(plain);
  };
  return {
    of,
    within,
    withinPath: (path) => path.split('/').map(withinStep).join('/'),
    ofName: (name) => (name === '' || isPlainName(name) ? name : of(name)),
    ofParts: (text) => partsOf(text).map(of).join(' '),
  };
}

/** The text with replacements for the parts between digests. */
function besideDigests(text: string, replace: (piece: string) => string): string {
  const pieces = text.split(/(digest:[\w-]{22})/);
  return pieces.map((piece, at) => (at % 2 === 1 ? piece : replace(piece))).join('');
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
