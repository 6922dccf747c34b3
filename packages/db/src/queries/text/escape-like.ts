/** Text for a LIKE pattern with `escape '!'`, in which `%`, `_` and `!` stand for themselves; a backslash always does. */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}
