import { createHmac, randomBytes } from 'node:crypto';
import { timingSafeEqualText } from '../crypto/timing-safe-equal-text.js';
import { toBase32 } from './base32.js';

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
