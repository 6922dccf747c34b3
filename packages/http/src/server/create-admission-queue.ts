/** Runs pieces of work in order, a few per turn of the event loop. */
export interface AdmissionQueue {
  enter(work: () => void): void;
}

/**
 * Spreads a burst: it runs `perRound` at a time and lets other ready work run in between. Without a burst
 * nothing waits.
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
