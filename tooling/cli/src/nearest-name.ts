/** The most likely intended name for a mistyped one: at most two edits apart, or one for a short name. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const most = given.length < 9 ? 1 : 2;
  const [best] = names
    .map((name) => ({ name, distance: distanceBetween(given, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

/** Insertions, deletions, changes and swaps of neighbors (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  let before: readonly number[] = [];
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const changed = (above[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      const isSwapped = letter === other[column - 1] && one[row - 1] === otherLetter;
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(changed, swapped, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    before = above;
    above = line;
  }
  return above.at(-1) ?? 0;
}
