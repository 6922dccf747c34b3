const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a text in base32 of RFC 4648, padded or not, in capitals or not; undefined for any other text. */
export function readBase32(text: string): Buffer | undefined {
  const letters = text.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  if (letters === '' || !/^[A-Z2-7]+$/.test(letters)) return undefined;
  const bits = [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
