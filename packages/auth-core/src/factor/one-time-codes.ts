import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { timingSafeEqualText } from '../crypto/random-and-digest.js';

const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 of RFC 4648 without padding, the form in which authenticator apps take a secret. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32_ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

const SECRET_BYTES = 20;

const STEP_MS = 30_000;

const DIGITS = 6;

/** A code of the step before or after is taken too, for clocks that differ. */
const DRIFT_STEPS = [-1, 0, 1] as const;

/** A new secret of 160 bits, the length RFC 4226 recommends. */
export function generateTotpSecret(random: (byteCount: number) => Buffer = randomBytes): Buffer {
  return random(SECRET_BYTES);
}

/** The time step of an instant: RFC 6238, 30 s. */
export function totpStep(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** The code of a step: RFC 6238 with SHA-1 and 6 digits, which is what every authenticator app knows. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * The step whose code this is, among the present one and its neighbours. All three are compared, whichever matches.
 * The caller must refuse a step that is not later than the last one used.
 */
export function matchTotpStep(secret: Buffer, code: string, nowMs: number): number | undefined {
  const present = totpStep(nowMs);
  let matched: number | undefined;
  for (const drift of DRIFT_STEPS) {
    const step = present + drift;
    if (step >= 0 && timingSafeEqualText(totpCode(secret, step), code)) matched = step;
  }
  return matched;
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const period = STEP_MS / 1000;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${period}`;
}

/** Blanks, hyphens, dashes and minus signs of any script, and what no page shows, such as a zero-width space of a copied mail. */
const IGNORED = /[\p{White_Space}\p{Pd}\u2212\p{Cf}]/gu;

const DIGIT = /\p{Nd}/gu;

/** A code as people type or paste it, in any width and with the digits of any script, in ASCII and without blanks and hyphens. */
export function readTyped(submitted: string): string {
  return submitted.normalize('NFKC').replace(IGNORED, '').replace(DIGIT, asciiDigit);
}

/** The digits of a code as people type it. Undefined unless it has this length. */
export function readDigits(submitted: string, length: number): string | undefined {
  const digits = readTyped(submitted);
  return digits.length === length && /^[0-9]+$/.test(digits) ? digits : undefined;
}

/** Each script has its ten digits in a row, from zero on (Unicode, section 4.6); after NFKC no two such rows adjoin. */
function asciiDigit(digit: string): string {
  let code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code -= 1;
    value += 1;
  }
  return String(value);
}

/** Crockford's alphabet has no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 65 bits: NIST SP 800-63B-4 asks for 64. */
const LENGTH = 13;

const COUNT = 10;

/** Ten codes that are shown once, each in three groups. */
export function generateBackupCodes(randomBelow: (limit: number) => number = randomInt): string[] {
  return Array.from({ length: COUNT }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('');
    return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
  });
}

/** A code as it was generated, from what somebody typed: any case, O as 0, I and L as 1. Undefined if it is not one. */
export function readBackupCode(submitted: string): string | undefined {
  const code = readTyped(submitted).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character))
    ? code
    : undefined;
}
