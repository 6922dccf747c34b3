/**
 * The form under which an e-mail address is unique and looked up: NFKC (which folds full-width
 * letters and the full-width at sign), lower case, no blanks around it. Accents are kept, because two
 * people's addresses may differ by one. Final sigma is folded, because upper case does not have it.
 * Idempotent. Takes text of any kind; callers refuse malformed text with a schema first.
 */
export function emailKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').trim();
}
