/**
 * The addresses in a text that was pasted: one a line, or separated by commas, semicolons or blanks, with or without names as in
 * `Ada Byron <ada@example.com>`. Each once, whatever its case, as it was written first.
 */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>();
  for (const line of text.split(/[\n\r,;]+/)) {
    const named = [...line.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address);
    const words = named.length > 0 ? named : line.split(/\s+/);
    for (const word of words.map((each) => each.trim()).filter((each) => each !== '')) {
      const key = word.toLowerCase();
      if (!found.has(key)) found.set(key, word);
    }
  }
  return [...found.values()];
}
