/** How base64 is written: padded, without padding, or without padding and with `.` for `+`, as passlib does. */
export type Base64Form = 'padded' | 'unpadded' | 'passlib';

/**
 * Decodes base64 that is written in the only way its encoder writes it. Undefined for every other text: another alphabet,
 * padding that does not belong, or bits set where the last character has none to carry.
 */
export function readCanonicalBase64(text: string, form: Base64Form): Buffer | undefined {
  const bytes = Buffer.from(form === 'passlib' ? text.replaceAll('.', '+') : text, 'base64');
  return writeBase64(bytes, form) === text ? bytes : undefined;
}

function writeBase64(bytes: Buffer, form: Base64Form): string {
  const padded = bytes.toString('base64');
  if (form === 'padded') return padded;
  const unpadded = padded.replace(/=+$/, '');
  return form === 'unpadded' ? unpadded : unpadded.replaceAll('+', '.');
}
