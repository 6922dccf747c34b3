const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Decodes the base64 of crypt(3), 6 bits a character and the lowest first. Undefined unless the text is the only way to write
 * this number of bytes.
 */
export function readCryptBase64(text: string, byteCount: number): Buffer | undefined {
  if (text.length !== Math.ceil((byteCount * 8) / 6)) return undefined;
  const bytes = Buffer.alloc(byteCount);
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value === -1) return undefined;
    bits |= value << bitCount;
    bitCount += 6;
    if (bitCount < 8) continue;
    bytes[at] = bits & 0xff;
    at += 1;
    bits >>= 8;
    bitCount -= 8;
  }
  return bits === 0 ? bytes : undefined;
}
