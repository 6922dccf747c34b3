/** The form under which a code is unique: nobody should earn by another's code in other letters. */
export function codeKey(code: string): string {
  return code.toLowerCase();
}
