/** A mark used in all scripts is an accent. A vowel sign of a single script is a letter. */
const ACCENT = /(?=\p{M})\p{Script=Inherited}/gu;

/** Removes differences that do not matter between names: case, width, accents and repeated blanks. Idempotent. */
export function foldedText(text: string): string {
  const stripped = fold(text).normalize('NFKD').replace(ACCENT, '');
  return fold(stripped).replace(/\s+/gu, ' ');
}

/** Final sigma is folded, because it has no upper case. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').trim();
}
