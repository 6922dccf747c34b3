/** The length of one part of a name. Longer search texts are compared again afterwards. */
export const PART_LENGTH = 32;

/** The suffix of a name from each character on, with the number of characters before it. */
export function nameParts(name: string): { part: string; position: number }[] {
  const characters = [...name];
  return characters.map((_, position) => ({
    part: characters.slice(position, position + PART_LENGTH).join(''),
    position,
  }));
}
