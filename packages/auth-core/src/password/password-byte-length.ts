/** The length for bcrypt: bytes of UTF-8. */
export function passwordByteLength(password: string): number {
  return Buffer.byteLength(password, 'utf8');
}
