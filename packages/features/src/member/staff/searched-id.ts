/** The id that a search may mean: a text of digits alone. */
export function searchedId(text: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}
