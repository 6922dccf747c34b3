/**
 * Text for a LIKE pattern with `escape '!'`, in which `%`, `_` and `!` are literal; a backslash always is.
 */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}
