/** The time of the service, as its answers say it: clocks of devices are hours off, and sessions end by the service's. */
export interface ServiceClock {
  /** In epoch milliseconds; by the clock of this device until the service has answered. */
  now(): number;
  /**
   * Takes the `Date` header of an answer (RFC 9110).
   * @returns whether the time of the service is another one than before
   */
  hear(date: string | null): boolean;
}

/** A header has whole seconds, and an answer takes its time: less is no difference between clocks. */
const LEAST_DIFFERENCE_MS = 30_000;

export function createServiceClock(): ServiceClock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    hear(date) {
      const foundMs = Date.parse(date ?? '') - Date.now();
      if (Number.isNaN(foundMs) || Math.abs(foundMs - aheadMs) < LEAST_DIFFERENCE_MS) return false;
      aheadMs = Math.abs(foundMs) < LEAST_DIFFERENCE_MS ? 0 : foundMs;
      return true;
    },
  };
}
