import { DatabaseUnavailableError } from '@gatehouse/db';

export interface ReadIndex {
  /**
   * Resolves once a read that began after this call has finished, so that all earlier commits are known.
   * Rejects with the read's error, or on a time-out.
   */
  current(): Promise<void>;
}

/**
 * Shares one read among all callers waiting when it begins (the read index of consensus systems). A thousand
 * concurrent calls cost a handful of reads, and none relies on an older one.
 * @param timeoutMs how long a call waits, for the read before its own and for its own
 * @param onServed told how long the first of the calls waited that a read served
 */
export function createReadIndex(
  read: () => Promise<void>,
  timeoutMs: number,
  onServed: (waitedMs: number) => void = () => undefined,
): ReadIndex {
  let waiting: Batch | undefined;
  let isReading = false;

  async function serve(): Promise<void> {
    isReading = true;
    while (waiting !== undefined) {
      // Requests already in the socket buffers join this read.
      await endOfTurn();
      const batch: Batch | undefined = waiting;
      if (batch === undefined) break;
      waiting = undefined;
      try {
        await read();
        batch.resolve();
        onServed(performance.now() - batch.openedAtMs);
      } catch (error) {
        batch.reject(error);
      }
      clearTimeout(batch.timer);
    }
    isReading = false;
  }

  function openBatch(): Batch {
    const { promise, resolve, reject } = promiseWithResolvers();
    // Without a spread: one object is created for each read of the log (ADR 21).
    const batch: Batch = {
      openedAtMs: performance.now(),
      promise,
      resolve,
      reject,
      timer: setTimeout(() => {
        if (waiting === batch) waiting = undefined;
        batch.reject(new DatabaseUnavailableError('timeout'));
      }, timeoutMs),
    };
    return batch;
  }

  return {
    current() {
      waiting ??= openBatch();
      const { promise } = waiting;
      if (!isReading) void serve();
      return promise;
    },
  };
}

interface Batch extends PromiseWithResolvers {
  readonly timer: NodeJS.Timeout;
  readonly openedAtMs: number;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
