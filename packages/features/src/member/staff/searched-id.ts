/** The id in a search text, if it has digits only. */
export function searchedId(text: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}
