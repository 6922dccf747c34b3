import { foldedText } from './folded-text.js';

/**
 * The form in which names are stored for searching and in which a searched text is compared:
 * case, width and accents do not matter, so `Zoë` is found by `zoe`. LIKE wildcards stay in the
 * text; escaping them belongs to the query. Idempotent.
 */
export function searchKey(text: string): string {
  return foldedText(text);
}
