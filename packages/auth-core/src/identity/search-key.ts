import { foldedText } from './folded-text.js';

/**
 * The form of names and searched texts for comparison. It ignores case, width and accents, so `zoe` finds `Zoë`.
 * LIKE wildcards stay; the query escapes them. Idempotent.
 */
export function searchKey(text: string): string {
  return foldedText(text);
}
