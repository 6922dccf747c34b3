import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../database-errors.js';
import type { OpenOptions } from '../../open-options.js';
import type { PoolLoad } from '../driver.js';
import { createSessionKiller } from './create-session-killer.js';
import { type MysqlSession, openMysqlSession } from './open-mysql-session.js';

/** Counts the users of a connection, so that closing can wait for them. */
interface Borrowers {
  /** Returns a function to call at the end of the use. */
  enter(): () => void;
  /** Resolves when there are no users left. */
  gone(): Promise<void>;
}

/** There are no users yet. */
function createBorrowers(): Borrowers {
  let present = 0;
  let whenGone: (() => void)[] = [];
  return {
    enter() {
      present += 1;
      return () => {
        present -= 1;
        if (present > 0) return;
        for (const resolve of whenGone) resolve();
        whenGone = [];
      };
    },
    gone: () => (present === 0 ? Promise.resolve() : new Promise((resolve) => whenGone.push(resolve))),
  };
}

/** A connection borrowed from the pool. */
export interface MysqlConnection
  extends Pick<MysqlSession, 'isUsable' | 'read' | 'write' | 'commit' | 'destroy'> {
  /** Returns the connection to the pool; only the first call counts. */
  release(): void;
}

/** A limited number of connections to one MySQL server. Errors are those of the package. */
interface MysqlPool {
  /**
   * @throws DatabaseUnavailableError (`timeout`) if there is none before the deadline, in monotonic
   * milliseconds
   */
  acquire(deadlineMs: number): Promise<MysqlConnection>;
  /** Uses a new connection, outside the limit, which is closed afterwards. */
  withNew<Answer>(use: (session: MysqlSession) => Promise<Answer>): Promise<Answer>;
  load(): PoolLoad;
  /** Waits for borrowers and waiters to finish, then closes all connections. */
  close(): Promise<void>;
}

interface Waiter {
  give(session: MysqlSession): void;
  refuse(error: Error): void;
}

/**
 * Creates a pool that connects at the first use. A timed-out statement usually means lost packets for more
 * than one connection. So the pool also destroys the connections that received nothing since that statement
 * was sent.
 */
export function createMysqlPool(url: string, options: Required<OpenOptions>): MysqlPool {
  const sessions = new Set<MysqlSession>();
  const idle: MysqlSession[] = [];
  const waiters = new Set<Waiter>();
  const borrowers = createBorrowers();
  const killer = createSessionKiller(url);
  let making = 0;
  let suspectBeforeMs = Number.NEGATIVE_INFINITY;
  let isClosing = false;

  const isTrusted = (session: MysqlSession): boolean =>
    session.isUsable && session.heardAtMs >= suspectBeforeMs;

  function distrust(sentAtMs: number): void {
    suspectBeforeMs = Math.max(suspectBeforeMs, sentAtMs);
    for (const session of idle.filter((each) => !isTrusted(each))) session.destroy();
  }

  const open = () =>
    openMysqlSession(url, {
      // If the server does not answer, a waiter still has time to try another connection.
      connectTimeoutMs: Math.min(options.connectTimeoutMs, options.queryTimeoutMs / 2),
      // A slow server is still connected to, although the statements of setting up need several round trips.
      setUpTimeoutMs: options.queryTimeoutMs,
      onTimeout: distrust,
      onGone(session, isHeld) {
        if (isHeld) killer.kill(session.place);
        forget(session);
      },
    });

  function forget(session: MysqlSession): void {
    if (!sessions.delete(session)) return;
    const at = idle.indexOf(session);
    if (at !== -1) idle.splice(at, 1);
    makeForWaiters();
  }

  function makeForWaiters(): void {
    while (making < waiters.size && sessions.size + making < options.poolSize) {
      making += 1;
      void make();
    }
  }

  async function make(): Promise<void> {
    try {
      const session = await open();
      making -= 1;
      sessions.add(session);
      put(session);
    } catch (error) {
      making -= 1;
      const [first] = waiters;
      first?.refuse(error instanceof Error ? error : new DatabaseUnavailableError('lost', { cause: error }));
      makeForWaiters();
    }
  }

  function put(session: MysqlSession): void {
    if (!isTrusted(session)) {
      session.destroy();
      forget(session);
      return;
    }
    const [first] = waiters;
    if (first !== undefined) first.give(session);
    else if (isClosing) void session.end();
    else idle.push(session);
  }

  function lend(session: MysqlSession, leave: () => void): MysqlConnection {
    let isReleased = false;
    return {
      get isUsable() {
        return session.isUsable;
      },
      read: session.read,
      write: session.write,
      commit: session.commit,
      destroy: session.destroy,
      release() {
        if (isReleased) return;
        isReleased = true;
        put(session);
        leave();
      },
    };
  }

  function wait(deadlineMs: number): Promise<MysqlSession> {
    if (waiters.size - making >= options.queueLimit) throw new DatabaseUnavailableError('overloaded');
    return new Promise((resolve, reject) => {
      const limitMs = Math.min(options.acquireTimeoutMs, deadlineMs - performance.now());
      const timer = setTimeout(() => waiter.refuse(new DatabaseUnavailableError('timeout')), limitMs);
      const settle = (): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
      };
      const waiter: Waiter = {
        give(session) {
          settle();
          resolve(session);
        },
        refuse(error) {
          settle();
          reject(error);
        },
      };
      waiters.add(waiter);
      makeForWaiters();
    });
  }

  return {
    async acquire(deadlineMs) {
      if (isClosing) throw new DatabaseUnavailableError('closed');
      const leave = borrowers.enter();
      try {
        return lend(idle.pop() ?? (await wait(deadlineMs)), leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    async withNew(use) {
      if (isClosing) throw new DatabaseUnavailableError('closed');
      const leave = borrowers.enter();
      try {
        const session = await open();
        try {
          return await use(session);
        } finally {
          void session.end();
        }
      } finally {
        leave();
      }
    },
    load: () => ({
      limit: options.poolSize,
      inUse: sessions.size - idle.length,
      waiting: waiters.size,
    }),
    async close() {
      isClosing = true;
      await Promise.race([borrowers.gone(), pause(options.transactionTimeoutMs, undefined, { ref: false })]);
      killer.close();
      const unused = new Set(idle);
      for (const session of sessions) if (!unused.has(session)) session.destroy();
      await Promise.all([...unused].map((session) => session.end()));
    },
  };
}
