/** The storable beginning of a text that need not be complete, such as a User-Agent or error message. */
export function storableBeginning(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\0|\p{Surrogate}/gu, '\u{FFFD}');
}
