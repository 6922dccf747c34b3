/** How many characters of a name one part holds; what a longer text says beyond them is compared afterwards. */
export const PART_LENGTH = 32;

/** A name from each of its characters on, with the number of characters before it. */
export function nameParts(name: string): { part: string; position: number }[] {
  const characters = [...name];
  return characters.map((_, position) => ({
    part: characters.slice(position, position + PART_LENGTH).join(''),
    position,
  }));
}
