import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random identifier, 128 bits by default, in lower-case hexadecimal. */
export function randomId(byteCount = 16): string {
  return randomBytes(byteCount).toString('hex');
}

/** 256 random bits in base64url: 43 characters. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of text (as UTF-8) or bytes, as 64 lower-case hexadecimal characters. */
export function sha256Hex(input: string | Uint8Array): string {
  return createHash('sha256').update(input).digest('hex');
}

/**
 * Compares two texts in constant time, which reveals neither the position of a difference nor the lengths.
 */
export function timingSafeEqualText(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf16le').digest();
}
