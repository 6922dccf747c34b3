import { hkdfSync, randomBytes } from 'node:crypto';

/** The kinds of opaque tokens, by the prefix that a scanner finds them by. */
const PREFIXES = {
  apiKey: 'gthk_',
  clientSecret: 'gthc_',
  accessToken: 'gtha_',
  refreshToken: 'gthr_',
  scimToken: 'gths_',
} as const;

export type OpaqueTokenKind = keyof typeof PREFIXES;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 33;
const CHECKSUM_LENGTH = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** The largest multiple of 62 in a byte: larger ones would make some characters more likely. */
const UNIFORM_BELOW = 248;

/** A new token: its prefix, 196 random bits in base 62, and the checksum of both. */
export function makeOpaqueToken(kind: OpaqueTokenKind): string {
  return tokenFrom(kind, () => randomBytes(RANDOM_LENGTH));
}

/** The one token that follows from another under a secret (HKDF, RFC 5869): the same each time, and nothing to others. */
export function deriveOpaqueToken(kind: OpaqueTokenKind, token: string, secret: string): string {
  let round = 0;
  return tokenFrom(kind, () => {
    round += 1;
    return Buffer.from(hkdfSync('sha256', secret, token, `${PREFIXES[kind]}${round}`, RANDOM_LENGTH));
  });
}

function tokenFrom(kind: OpaqueTokenKind, nextBytes: () => Buffer): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    const bytes = [...nextBytes()].filter((byte) => byte < UNIFORM_BELOW);
    random += bytes.map((byte) => DIGITS[byte % DIGITS.length]).join('');
  }
  const text = PREFIXES[kind] + random.slice(0, RANDOM_LENGTH);
  return text + checksumOf(text);
}

/** Whether a text may contain a token of a kind. */
export function mayHaveOpaqueToken(kind: OpaqueTokenKind, text: string): boolean {
  return text.includes(PREFIXES[kind]);
}

/** Whether a text claims to be a token of a kind. */
export function claimsToBeOpaqueToken(kind: OpaqueTokenKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]);
}

/** Whether a text has the form of a token of a kind, checksum included. */
export function isOpaqueToken(kind: OpaqueTokenKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return false;
  const end = text.length - CHECKSUM_LENGTH;
  return text.slice(end) === checksumOf(text.slice(0, end));
}

/** The CRC-32 of a text in base 62, most significant digit first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at += 1) {
    digits = (DIGITS[rest % DIGITS.length] ?? '') + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

/** CRC-32/ISO-HDLC, as in zip files. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
