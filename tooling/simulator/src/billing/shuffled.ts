import { randomInt } from 'node:crypto';

/** The same items in a random order, each order equally likely. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
