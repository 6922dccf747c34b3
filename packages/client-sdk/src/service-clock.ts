/** The time of the service, as its answers say it: clocks of devices are hours off, and sessions end by the service's. */
export interface ServiceClock {
  /** In epoch milliseconds, a second or two behind; by the clock of this device until the service has answered. */
  now(): number;
  /**
   * Takes the `Date` header of an answer (RFC 9110).
   * @returns whether the known time of the service changed
   */
  hear(date: string | null): boolean;
}

/** A header has whole seconds, and an answer takes its time. */
const INEXACT_MS = 2000;

export function createServiceClock(): ServiceClock {
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  return {
    now,
    hear(date) {
      const saidMs = Date.parse(date ?? '');
      if (Number.isNaN(saidMs)) return false;
      const isAnother = Math.abs(saidMs - now()) > INEXACT_MS;
      aheadMs = saidMs - Date.now();
      return isAnother;
    },
  };
}
