import { createHash } from 'node:crypto';

/** SHA-256 of text (as UTF-8) or bytes, as 64 lower-case hexadecimal characters. */
export function sha256Hex(input: string | Uint8Array): string {
  return createHash('sha256').update(input).digest('hex');
}
