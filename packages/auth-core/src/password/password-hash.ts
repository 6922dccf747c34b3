import { createHmac, randomInt } from 'node:crypto';
import bcrypt from 'bcrypt';
import { timingSafeEqualText } from '../crypto/random-and-digest.js';
import { type ForeignHash, hasForeignMark, readForeignHash } from './foreign/foreign-hash.js';
import { digestText, readWeakDigest, type WeakAlgorithm } from './foreign/weak-digest.js';
import { fitsBcrypt, normalizePassword } from './password-policy.js';

/** The kind of a stored password, which decides how it is compared. */
export type StoredPassword =
  /** A bcrypt hash of cost 10 to 12. */
  | { readonly kind: 'bcrypt'; readonly cost: number; readonly hash: string }
  /** A bcrypt hash of cost 4 to 9 from another system, still to be wrapped. */
  | { readonly kind: 'weak'; readonly cost: number; readonly hash: string }
  /** A weak hash that was hashed again: the salt and cost of the inner hash, and an outer hash of cost 10. */
  | { readonly kind: 'wrapped'; readonly cost: number; readonly salt: string; readonly hash: string }
  /** A bcrypt hash of cost 10 to 12 that WordPress 6.8 or later made of a keyed digest of the password. */
  | { readonly kind: 'wordpress'; readonly cost: number; readonly hash: string }
  /** A bcrypt hash of cost 10 of a quick digest that another system kept. */
  | {
      readonly kind: 'digest';
      readonly algorithm: WeakAlgorithm;
      readonly salt: Buffer;
      readonly hash: string;
    }
  /** A hash of another system and another kind than bcrypt, compared by `verifyForeignHash`. */
  | { readonly kind: 'foreign'; readonly foreign: ForeignHash }
  /** Never compared: a damaged hash, one of another scheme or of an unsupported cost, or any other text. */
  | { readonly kind: 'unknown' };

/** The prefix of a wrapped hash. */
const WRAPPED = '$wrapped';

const BCRYPT = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

const WRAPPED_HASH = /^(\$2[ab]\$(0[4-9])\$[./A-Za-z0-9]{22})(\$2b\$10\$[./A-Za-z0-9]{53})$/;

const WORDPRESS_HASH = /^\$wp\$2y\$(1[0-2])(\$[./A-Za-z0-9]{53})$/;

/** The prefix of a digest that was hashed. */
const DIGEST = '$digest$';

const DIGEST_HASH = /^\$digest\$(md5|sha1|sha256)\$([A-Za-z0-9+/]*={0,2})(\$2b\$10\$[./A-Za-z0-9]{53})$/;

const WEAKEST = 4;

const OWN = 10;

const STRONGEST = 12;

/** Reads a stored value. PHP's `$2y$` is the same algorithm as `$2b$` and is returned as `$2b$`. */
export function readStoredPassword(stored: string): StoredPassword {
  const shape = stored.length === 60 ? BCRYPT.exec(stored) : null;
  if (shape) {
    const cost = Number(shape[1]);
    if (stored.startsWith('$2x$') || cost < WEAKEST || cost > STRONGEST) return { kind: 'unknown' };
    const hash = stored.startsWith('$2y$') ? `$2b$${stored.slice(4)}` : stored;
    return { kind: cost < OWN ? 'weak' : 'bcrypt', cost, hash };
  }
  if (stored.startsWith(WRAPPED)) {
    const [, salt, cost, hash] = WRAPPED_HASH.exec(stored.slice(WRAPPED.length)) ?? [];
    if (salt !== undefined && hash !== undefined) return { kind: 'wrapped', cost: Number(cost), salt, hash };
  }
  const [, cost, rest] = WORDPRESS_HASH.exec(stored) ?? [];
  if (cost !== undefined && rest !== undefined)
    return { kind: 'wordpress', cost: Number(cost), hash: `$2b$${cost}${rest}` };
  if (stored.startsWith(DIGEST)) {
    const [, algorithm, salt = '', hash] = DIGEST_HASH.exec(stored) ?? [];
    const isKnown = algorithm === 'md5' || algorithm === 'sha1' || algorithm === 'sha256';
    if (isKnown && hash !== undefined)
      return { kind: 'digest', algorithm, salt: Buffer.from(salt, 'base64'), hash };
  }
  const foreign = readForeignHash(stored);
  return foreign ? { kind: 'foreign', foreign } : { kind: 'unknown' };
}

/**
 * The password of a row that was declared to be plain text, to be hashed before it is compared. Undefined for every other
 * stored value: an unknown text may be the hash of another system, and everybody who has seen it would sign in with it.
 */
export function plainPassword(stored: {
  readonly password: string;
  readonly passwordIsPlain: boolean;
}): string | undefined {
  return stored.passwordIsPlain && mayBePlain(stored.password) ? stored.password : undefined;
}

/** Whether a text can be a declared plain password: not one of our hashes, and short enough for bcrypt. */
export function mayBePlain(text: string): boolean {
  return text !== '' && readStoredPassword(text).kind === 'unknown' && fitsBcrypt(normalizePassword(text));
}

/**
 * Whether a password can be compared with a stored value: a bcrypt hash (`$2a$`, `$2b$` or `$2y$`) of cost 4
 * to 12, wrapped or not, one of WordPress (`$wp$2y$`) of cost 10 to 12, or one that `foreignHash` made.
 */
export function isPasswordHash(stored: string): boolean {
  return readStoredPassword(stored).kind !== 'unknown';
}

/** Bcrypt rounds of a hash with our own cost. */
export const OWN_ROUNDS = 2 ** 10;

/** Bcrypt rounds of a comparison with a stored value. */
export function passwordRounds(stored: string): number {
  const read = readStoredPassword(stored);
  if (read.kind === 'bcrypt' || read.kind === 'wordpress') return 2 ** read.cost;
  return read.kind === 'weak' || read.kind === 'wrapped' ? OWN_ROUNDS + 2 ** read.cost : OWN_ROUNDS;
}

/** What a comparison with a stored value costs, stored beside it: null if our own hash costs the same. */
export interface PasswordCost {
  readonly passwordRounds: number | null;
  /** Milliseconds that a slow machine takes to compare it with the hash of another system; 0 if that was damaged. */
  readonly passwordDelayMs: number | null;
}

/** Reads it from the stored value. */
export function passwordCost(stored: string): PasswordCost {
  const rounds = passwordRounds(stored);
  return {
    passwordRounds: rounds === OWN_ROUNDS ? null : rounds,
    passwordDelayMs: hasForeignMark(stored) ? Math.ceil(readForeignHash(stored)?.costMs ?? 0) : null,
  };
}

/**
 * Normalizes a password and hashes it with bcrypt (`$2b$`), on the thread pool. `cost` is the binary logarithm of the rounds.
 * @throws RangeError for more than 72 bytes, which bcrypt would silently cut, and for a cost outside 4 to 15.
 */
export async function hashPassword(plain: string, cost = 10): Promise<string> {
  const normalized = normalizePassword(plain);
  if (!fitsBcrypt(normalized)) throw new RangeError('a password of more than 72 bytes cannot be hashed');
  if (!Number.isInteger(cost) || cost < 4 || cost > 15)
    throw new RangeError('the bcrypt cost must be 4 to 15');
  return bcrypt.hash(normalized, cost);
}

/**
 * A bcrypt hash of cost 10 of 48 discarded random bytes. A login without a member compares with it, so that
 * it takes as long as one with a member.
 */
export const dummyHash = '$2b$10$UrvwKCEX1Yz7/Pwta/FRquGSp0h6xGypotA0.ImyLUNLzzwH5MrOu';

/**
 * Hashes a bcrypt hash of a cost below 10 again with cost 10, and puts the inner salt and cost before the
 * result. A comparison then hashes the password twice. The password itself is not needed here.
 * @throws RangeError for anything other than such a hash
 */
export async function wrapPasswordHash(stored: string): Promise<string> {
  const read = readStoredPassword(stored);
  if (read.kind !== 'weak') throw new RangeError('only a bcrypt hash of cost 4 to 9 is wrapped');
  return `${WRAPPED}${read.hash.slice(0, 29)}${await bcrypt.hash(read.hash, 10)}`;
}

/**
 * Hashes a quick digest of another system with bcrypt of cost 10, and puts its algorithm and salt before the result. Guessing
 * from the stored text is as slow as with a hash of ours; from the digest itself it stays as quick as before.
 * @throws RangeError for anything other than such a digest
 */
export async function wrapWeakDigest(text: string): Promise<string> {
  const read = readWeakDigest(text);
  if (read === undefined) throw new RangeError('only an MD5, SHA-1 or SHA-256 digest is wrapped');
  const { algorithm, digest, salt } = read;
  return `${DIGEST}${algorithm}$${salt.toString('base64')}${await bcrypt.hash(digest.toString('base64'), OWN)}`;
}

/** The result of a comparison. */
export interface PasswordComparison {
  readonly matches: boolean;
  /** The wrapped hash that replaces one of low cost. */
  readonly wrapped?: string;
}

const SALT = 'CCCCCCCCCCCCCCCCCCCCC.';

const LOWEST_COST = 4;

/**
 * Compares a password with a stored value by bcrypt, on the thread pool. Returns false, and never throws, for a stored
 * value that is not a hash (such as plain text) or a foreign one, and for a password too long for bcrypt. The password is
 * normalized. If that changes it and does not match, it is compared once more as it was sent, because other systems hash it so. Each
 * comparison takes `rounds` rounds: cheaper ones are padded, so timing reveals neither the kind of hash nor whether the
 * member exists. Pass the rounds of the costliest stored value, see `passwordRounds`.
 */
export async function comparePassword(
  plain: string,
  stored: string | null | undefined,
  rounds = OWN_ROUNDS,
): Promise<PasswordComparison> {
  const missing = rounds - (typeof stored === 'string' ? passwordRounds(stored) : OWN_ROUNDS);
  const given = typeof plain === 'string' ? plain : '';
  const normalized = normalizePassword(given);
  const comparison = await compare(normalized, stored);
  await fillUp(missing);
  if (comparison.matches || normalized === given) return comparison;
  const asSent = await compare(given, stored);
  await fillUp(missing);
  return asSent;
}

async function compare(plain: string, stored: string | null | undefined): Promise<PasswordComparison> {
  const read = typeof stored === 'string' ? readStoredPassword(stored) : undefined;
  const isReadable = fitsBcrypt(plain);
  const given = isReadable ? plain : '';
  switch (read?.kind) {
    case 'bcrypt':
      return { matches: (await bcrypt.compare(given, read.hash)) && isReadable };
    case 'wordpress':
      return { matches: (await bcrypt.compare(digestOfWordPress(given), read.hash)) && isReadable };
    case 'digest':
      return { matches: (await bcrypt.compare(digestText(read, given), read.hash)) && isReadable };
    case 'wrapped': {
      const inner = await bcrypt.hash(given, read.salt);
      return { matches: (await bcrypt.compare(inner, read.hash)) && isReadable };
    }
    case 'weak': {
      const inner = await bcrypt.hash(given, read.hash.slice(0, 29));
      const wrapped = await wrapPasswordHash(read.hash);
      return { matches: timingSafeEqualText(inner, read.hash) && isReadable, wrapped };
    }
    case 'foreign':
    case 'unknown':
    case undefined:
      await bcrypt.compare(given, dummyHash);
      return { matches: false };
  }
}

/** What `wp_hash_password` of WordPress passes to bcrypt. PHP's `trim` removes these characters alone. */
function digestOfWordPress(plain: string): string {
  const trimmed = plain.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '');
  return createHmac('sha384', 'wp-sha384').update(trimmed).digest('base64');
}

/** Any missing number of rounds is a sum of powers of two from 16 on, which bcrypt accepts as costs. */
async function fillUp(missing: number): Promise<void> {
  for (let cost = LOWEST_COST; 2 ** cost <= missing; cost += 1) {
    if ((missing & (2 ** cost)) === 0) continue;
    await bcrypt.hash('', `$2b$${String(cost).padStart(2, '0')}$${SALT}`);
  }
}

/** Whether a password matches its hash, by `comparePassword`. */
export async function verifyPassword(plain: string, stored: string | null | undefined): Promise<boolean> {
  return (await comparePassword(plain, stored)).matches;
}

/** What password hashes, digests and their parts look like in the tables of other systems. */
const SHAPES: readonly RegExp[] = [
  // crypt(3), bcrypt, argon2, scrypt, phpass, Drupal and all that begins with a scheme between dollars, or a part of it
  /^[*!]*\$[\w./+,=-]+\$\S/,
  // The same behind a version, a name or a quote: Nextcloud's 1|$2y$…, Jenkins' #jbcrypt:$2a$…, "$2b$…", and escaped for a shell
  /\\?\$(?:[0-9][abxy]?|argon2(?:i|d|id)|[PHSy]|pbkdf2[\w-]*|scrypt)\\?\$\S{16}/i,
  // LDAP and its kin: {SSHA}, {CRYPT}, {x-issha, 1024}
  /^\{[\w.+-]+(?:, ?\d+)?\}\S{8}/,
  // Keycloak and others keep JSON
  /^[[{]\s*["{[]/,
  // Disabled and missing passwords of passwd(5), shadow(5) and MySQL
  /^(?:[*!]{1,2}|x|NP|\*?(?:LK|NP|NOLOGIN)\*?|\*THISISNOTAVALIDPASSWORD.*)$/i,
  // Values in exports that mean no password
  /^(?:\\N|\(?null\)?|nil|none|undefined)$/i,
  // Django marks an unusable password by ! and 40 letters and digits
  /^![A-Za-z0-9]{40}$/,
  // The name of an algorithm before the rest: Django, Werkzeug, Rails, PostgreSQL
  /^(?:md[245]|sha[-_]?[0-9]*|ssha|pbkdf2|bcrypt|scrypt|argon2(?:i|d|id)?|crypt|scram|sm3|apr1|ntlm|nthash|lmhash|ripemd|whirlpool|tiger|blake2?|hmac|unsalted|phpass|firebase|standard)[\w.-]*[$:|,{]\S{8}/i,
  /^md5[0-9a-f]{32}$/i,
  // Hexadecimal, alone or as a part: MySQL's *…, MSSQL's 0x…, PostgreSQL's \x…, md5:salt, salt:hash, hash.salt, Oracle's S:…
  /^[*!]?(?:0x|\d )?[0-9a-f]{16,}$/i,
  /(?:^|\\x|[:$;|,.*{}=])[0-9a-f]{32,}(?:$|[:$;|,.}])/i,
  /^[\w./+=-]{1,64}[:$;|,][0-9a-f]{32,}$/i,
  /^[0-9a-f]{32}.{1,30}$/i,
  // Base64 of 16 to 64 bytes, padded
  /^(?=.{22,})[A-Za-z0-9+/_-]+={1,2}$/,
  // The same inside a longer text: MediaWiki's :pbkdf2:sha512:…:…
  /[:$;|,}][A-Za-z0-9+/]{20,}={0,2}[:$;|,][A-Za-z0-9+/]{20,}={0,2}$/,
  // Lotus Domino
  /^\(G[A-Za-z0-9+/]{19,}\)$/,
  // DES crypt with a sign, BSDi, and the base64 of bcrypt and crypt(3) without its beginning
  /^(?=.*[./])(?=.*[A-Z])(?=.*[a-z])[./A-Za-z0-9]{13}$/,
  /^_[./A-Za-z0-9]{19}$/,
];

/** The lengths of base64 without padding of 16, 20, 24, 28, 32, 48 and 64 bytes, and of bcrypt's parts. */
const UNPADDED_LENGTHS = new Set([22, 27, 31, 32, 38, 43, 53, 64, 86]);

const UNPADDED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9+/._-]+$/;

/**
 * Whether a text has the look of a password hash, a digest or a part of one. If it were treated as a plain password, everybody
 * who has seen it in the tables of another system could sign in. Some generated passwords have the same look.
 */
export function looksLikeDigest(text: string): boolean {
  const bare = text.trim();
  return (
    SHAPES.some((shape) => shape.test(bare)) || (UNPADDED_LENGTHS.has(bare.length) && UNPADDED.test(bare))
  );
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random password of 12 letters and digits (71 bits), each character equally likely. */
export function generatePassword(pick: (below: number) => number = randomInt): string {
  return Array.from({ length: 12 }, () => ALPHABET.charAt(pick(ALPHABET.length))).join('');
}
