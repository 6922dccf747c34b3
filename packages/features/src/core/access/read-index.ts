import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@gatehouse/db';
import { createReadSpacing, type ReadSpacing } from './read-spacing.js';

export interface ReadIndex extends Pick<ReadSpacing, 'spaceReads'> {
  /**
   * Resolves once a read that began after this call has finished, so that all earlier commits are known.
   * Rejects with the read's error, or on a time-out.
   */
  current(): Promise<void>;
}

export interface ReadIndexOptions {
  /** How long a call waits, for the read before its own and for its own. */
  readonly timeoutMs: number;
  /** Told how long the first of the calls waited that a read served. */
  readonly onServed?: (waitedMs: number) => void;
}

/**
 * Shares one read among all callers waiting when it begins (the read index of consensus systems). A thousand
 * concurrent calls cost a handful of reads, and none relies on an older one.
 */
export function createReadIndex(
  read: () => Promise<void>,
  { timeoutMs, onServed }: ReadIndexOptions,
): ReadIndex {
  const spacing = createReadSpacing();
  let waiting: Batch | undefined;
  let isReading = false;

  async function serve(): Promise<void> {
    isReading = true;
    while (waiting !== undefined) {
      // Requests already in the socket buffers join this read.
      await endOfTurn();
      // Callers whom the read before has answered are calling again. Without this turn, half of them would always wait for the next.
      if (waiting !== undefined && waiting.callers > 1) await endOfTurn();
      await waitForMore();
      const batch: Batch | undefined = waiting;
      if (batch === undefined) break;
      waiting = undefined;
      spacing.began(batch.callers);
      try {
        await read();
        batch.resolve();
        onServed?.(performance.now() - batch.openedAtMs);
      } catch (error) {
        batch.reject(error);
      }
      clearTimeout(batch.timer);
    }
    isReading = false;
  }

  /** The read begins after the pause, so it is as fresh for those who join meanwhile. */
  async function waitForMore(): Promise<void> {
    const before = waiting?.callers ?? 0;
    const pauseMs = spacing.pauseBefore(before);
    if (pauseMs === 0) return;
    await pause(pauseMs);
    spacing.paused(before, waiting?.callers ?? 0);
  }

  function openBatch(): Batch {
    const { promise, resolve, reject } = promiseWithResolvers();
    // Without a spread: one object is created for each read of the log (ADR 1).
    const batch: Batch = {
      callers: 0,
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
    spaceReads: spacing.spaceReads,
    current() {
      waiting ??= openBatch();
      waiting.callers += 1;
      const { promise } = waiting;
      if (!isReading) void serve();
      return promise;
    },
  };
}

interface Batch extends PromiseWithResolvers {
  callers: number;
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
