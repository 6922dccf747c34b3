/** Collects the smallest of the given ids, each once. */
export interface SmallestIds {
  add(id: number): void;
  /** Ids from this one on can be omitted. */
  readonly bound: number;
  /** Ascending. */
  list(): number[];
}

/** Keeps the `count` smallest ids, in nearly constant time per id. */
export function createSmallestIds(count: number): SmallestIds {
  let ids: number[] = [];
  let bound = Number.POSITIVE_INFINITY;

  function trim(): void {
    ids = [...new Set(ids)].toSorted((a, b) => a - b).slice(0, count);
    if (ids.length === count) bound = ids.at(-1) ?? bound;
  }

  return {
    add(id) {
      if (id >= bound) return;
      ids.push(id);
      if (ids.length >= 2 * count) trim();
    },
    get bound() {
      return bound;
    },
    list() {
      trim();
      return [...ids];
    },
  };
}
