/** The fewest code points of a new password, after normalization. */
export const FEWEST_CHARACTERS = 8;
/** The most bytes of UTF-8 that bcrypt reads. */
const MAX_BYTES = 72;

/**
 * The form in which a password is hashed and compared: NFKC (NIST SP 800-63B-4, section 3.1.1.2). Keyboards and systems send the
 * same characters in different forms.
 */
export function normalizePassword(text: string): string {
  return text.normalize('NFKC');
}

/** Whether bcrypt reads all of a normalized text. */
export function fitsBcrypt(normalized: string): boolean {
  return Buffer.byteLength(normalized, 'utf8') <= MAX_BYTES;
}

/** Why the length of a new password is refused, with a sentence to show. Length counts after normalization. */
export function lengthProblem(
  password: string,
): { readonly code: 'too_short' | 'too_long'; readonly message: string } | undefined {
  const normalized = normalizePassword(password);
  if (Array.from(normalized).length < FEWEST_CHARACTERS)
    return { code: 'too_short', message: `must be at least ${FEWEST_CHARACTERS} characters long` };
  if (fitsBcrypt(normalized)) return undefined;
  return {
    code: 'too_long',
    message: `must be at most ${MAX_BYTES} bytes long: letters of English take one byte, others two to four`,
  };
}
