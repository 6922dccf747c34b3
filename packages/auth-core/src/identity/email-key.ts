/**
 * The form in which e-mail addresses are unique and looked up: NFKC (which folds full-width letters and the
 * full-width at sign), lower case, trimmed. Accents stay, because the addresses of two people may differ only
 * by an accent. Final sigma is folded, because it has no upper case. Idempotent. Accepts any text; callers
 * reject malformed text with a schema first.
 */
export function emailKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').trim();
}
