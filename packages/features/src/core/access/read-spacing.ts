export interface ReadSpacing {
  /** From now on reads under load begin so far apart; 0 lets each begin as soon as the one before has ended. */
  spaceReads(intervalMs: number): void;
  /** How many milliseconds the next read waits for more callers: 0 if it is to begin at once. */
  pauseBefore(callers: number): number;
  /** Tells how many callers there were before a pause and after it. */
  paused(before: number, after: number): void;
  /** Tells that a read begins, and for how many callers. */
  began(callers: number): void;
}

/** How many reads go without a pause after a pause that brought nobody. */
const READS_WITHOUT_PAUSE = 8;

/**
 * Spaces the reads of a busy node. A lone caller never waits: neither one on an idle node, nor one who calls
 * again as soon as it is answered.
 */
export function createReadSpacing(): ReadSpacing {
  let spacingMs = 0;
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let callersBefore = 0;
  let withoutPause = 0;

  return {
    spaceReads(intervalMs) {
      spacingMs = intervalMs;
    },
    pauseBefore(callers) {
      if (callers < 2 && callersBefore < 2) return 0;
      const leftMs = beganAtMs + spacingMs - performance.now();
      if (leftMs <= 0) return 0;
      if (withoutPause === 0) return Math.ceil(leftMs);
      withoutPause -= 1;
      return 0;
    },
    paused(before, after) {
      if (after <= before) withoutPause = READS_WITHOUT_PAUSE;
    },
    began(callers) {
      beganAtMs = performance.now();
      callersBefore = callers;
    },
  };
}
