/** Runs pieces of work in the order they came, few in each turn of the event loop. */
export interface AdmissionQueue {
  enter(work: () => void): void;
}

/**
 * Spreads a burst: what comes in large numbers at once is done `perRound` at a time, and whatever else is ready gets its
 * turn in between. Nothing waits while there is no burst.
 */
export function createAdmissionQueue(perRound: number): AdmissionQueue {
  const waiting: (() => void)[] = [];
  let done = 0;
  let isRoundScheduled = false;

  function scheduleRound(): void {
    if (isRoundScheduled) return;
    isRoundScheduled = true;
    setImmediate(() => {
      isRoundScheduled = false;
      done = 0;
      const batch = waiting.splice(0, perRound);
      if (batch.length > 0) scheduleRound();
      done = batch.length;
      for (const work of batch) work();
    });
  }

  return {
    enter(work) {
      scheduleRound();
      if (done >= perRound || waiting.length > 0) waiting.push(work);
      else {
        done += 1;
        work();
      }
    },
  };
}
