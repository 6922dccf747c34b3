import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal, in a time that tells neither where they differ nor how long they are. */
export function timingSafeEqualText(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf16le').digest();
}
