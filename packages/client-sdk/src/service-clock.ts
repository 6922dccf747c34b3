/** The time of the service, as its answers say it: clocks of devices are hours off, and sessions end by the service's. */
export interface ServiceClock {
  /** In epoch milliseconds; by the clock of this device until the service has answered. */
  now(): number;
  /** The latest that it can be at the service, however long its answer took, as an ISO 8601 instant; empty until it has answered. */
  byNow(): string;
  /**
   * Takes the `Date` header of an answer (RFC 9110).
   * @returns whether the time of the service is another one than before
   */
  hear(date: string | null): boolean;
}

/** A header has whole seconds, and an answer takes its time: less is no difference between clocks. */
const LEAST_DIFFERENCE_MS = 30_000;

/** What may have passed since the second that a header names. */
const LONGEST_ANSWER_MS = 2000;

export function createServiceClock(): ServiceClock {
  let aheadMs = 0;
  let heardMs: number | undefined;
  return {
    now: () => Date.now() + aheadMs,
    byNow: () =>
      heardMs === undefined ? '' : new Date(Date.now() + heardMs + LONGEST_ANSWER_MS).toISOString(),
    hear(date) {
      const foundMs = Date.parse(date ?? '') - Date.now();
      if (Number.isNaN(foundMs)) return false;
      heardMs = foundMs;
      if (Math.abs(foundMs - aheadMs) < LEAST_DIFFERENCE_MS) return false;
      aheadMs = Math.abs(foundMs) < LEAST_DIFFERENCE_MS ? 0 : foundMs;
      return true;
    },
  };
}
