import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares two texts in constant time, which reveals neither the position of a difference nor the lengths.
 */
export function timingSafeEqualText(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf16le').digest();
}
