/** The beginning of a text nobody needs exactly (a User-Agent, an error message), as it can be stored. */
export function storableBeginning(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\0|\p{Surrogate}/gu, '\u{FFFD}');
}
