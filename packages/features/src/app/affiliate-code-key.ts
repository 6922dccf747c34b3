/** The form in which codes are unique: nobody should earn from a code that differs only in spelling. */
export function codeKey(code: string): string {
  return code.toLowerCase();
}
