/** Runs pieces of work in the order they came, few in each turn of the event loop. */
export interface Pacer {
  enter(work: () => void): void;
}

/**
 * Spreads a burst: what comes in large numbers at once is done `perTurn` at a time, and whatever else is ready gets its
 * turn in between. Nothing waits while there is no burst.
 */
export function createPacer(perTurn: number): Pacer {
  const waiting: (() => void)[] = [];
  let done = 0;
  let isTurnBooked = false;

  function bookTurn(): void {
    if (isTurnBooked) return;
    isTurnBooked = true;
    setImmediate(() => {
      isTurnBooked = false;
      done = 0;
      const batch = waiting.splice(0, perTurn);
      if (batch.length > 0) bookTurn();
      done = batch.length;
      for (const work of batch) work();
    });
  }

  return {
    enter(work) {
      bookTurn();
      if (done >= perTurn || waiting.length > 0) waiting.push(work);
      else {
        done += 1;
        work();
      }
    },
  };
}
