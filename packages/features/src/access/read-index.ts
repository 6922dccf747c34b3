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
 * concurrent calls cost a handful of reads, and no call uses a read that began before it.
 * @param timeoutMs how long a call waits, for the previous read and for its own
 */
export function createReadIndex(read: () => Promise<void>, timeoutMs: number): ReadIndex {
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
