import { randomBytes } from 'node:crypto';

/** A random identifier, 128 bits by default, in lower-case hexadecimal. */
export function randomId(byteCount = 16): string {
  return randomBytes(byteCount).toString('hex');
}
