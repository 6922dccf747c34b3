/** The form in which codes are unique, so that nobody profits from a code that differs only in spelling. */
export function codeKey(code: string): string {
  return code.toLowerCase();
}
