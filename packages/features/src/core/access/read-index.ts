import { setTimeout as pause } from 'node:timers/promises';
import type { Dialect } from '@gatehouse/db/database';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';

interface ReadSpacing {
  /** From now on reads under load begin this far apart; 0 lets each begin as soon as the previous one has ended. */
  spaceReads(intervalMs: number): void;
  /** How many milliseconds the next read waits for more callers: 0 if it should begin at once. */
  pauseBefore(callers: number): number;
  /** Reports how many callers there were before a pause and after it. */
  paused(before: number, after: number): void;
  /** Reports that a read begins, and for how many callers. */
  began(callers: number): void;
}

/** How many reads skip the pause after a pause in which no caller joined. */
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

interface ReadIndex extends Pick<ReadSpacing, 'spaceReads'> {
  /**
   * Resolves once a read that began after this call has finished, so that all earlier commits are known.
   * Rejects with the read's error, or on a time-out.
   */
  current(): Promise<void>;
}

interface ReadIndexOptions {
  /** How long a call waits, for the previous read and for its own. */
  readonly timeoutMs: number;
  /** Receives how long the first call that a read served had waited. */
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
      // Callers whom the previous read has answered are calling again. Without this turn, half of them would always wait for the
      // next.
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

/** With fewer nodes the database needs no relief. */
const MANY_NODES = 10;
const INTERVAL_OF_MANY_MS = 2;

/**
 * How far apart a busy node begins its reads of the change log. The embedded database is read in the process.
 * @param nodes how many there are
 * @param configuredMs replaces the interval that follows from their number
 */
export function readInterval(dialect: Dialect, nodes: number, configuredMs: number | undefined): number {
  if (dialect === 'libsql') return 0;
  return configuredMs ?? (nodes < MANY_NODES ? 0 : INTERVAL_OF_MANY_MS);
}
