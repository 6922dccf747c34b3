/** Random numbers below a limit. The sequence is the same on every run, so equal loads are identical. */
export interface RandomNumbers {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
}

/** The generator known as mulberry32: small, fast, and good enough to distribute rows. */
export function createRandomNumbers(seed: number): RandomNumbers {
  let state = seed;
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
    },
  };
}
