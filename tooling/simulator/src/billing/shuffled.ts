import { randomInt } from 'node:crypto';

/** The same items in any order, each order as likely as the others. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
