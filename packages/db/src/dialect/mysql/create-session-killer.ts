import { setTimeout as pause } from 'node:timers/promises';
import { readServerVariables } from './mysql-connection-options.js';
import { type MysqlSession, openMysqlSession, type ServerPlace } from './open-mysql-session.js';

/**
 * Ends, on the server, the sessions of connections that were destroyed here. A server that missed the close
 * would keep their locks.
 */
export interface SessionKiller {
  /**
   * Returns at once. After a minute without a connection to the server, it gives up and leaves the sessions
   * to the server's own time-outs.
   */
  kill(place: ServerPlace | undefined): void;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 2_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
const GIVEN_UP_AFTER_MS = 60_000;
const MAX_DOOMED = 1_000;

/** Creates a killer for the server of a URL. It connects when needed, one connection at a time. */
export function createSessionKiller(url: string): SessionKiller {
  const doomed = new Map<string, ServerPlace & { readonly sinceMs: number }>();
  const stop = new AbortController();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    let pauseMs = FIRST_PAUSE_MS;
    while (doomed.size > 0 && !stop.signal.aborted) {
      await killAll().catch(() => undefined);
      const oldestMs = performance.now() - GIVEN_UP_AFTER_MS;
      for (const [key, { sinceMs }] of doomed) if (sinceMs < oldestMs) doomed.delete(key);
      if (doomed.size > 0) await pause(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
    isRunning = false;
  }

  async function killAll(): Promise<void> {
    const session = await openMysqlSession(url, {
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onGone: ({ place }, isHeld) => isHeld && doom(place),
    });
    try {
      const { identity } = await readServerVariables(session, STATEMENT_TIMEOUT_MS);
      const [[, uptime] = []] = await session.read(
        "SHOW GLOBAL STATUS LIKE 'Uptime'",
        [],
        STATEMENT_TIMEOUT_MS,
      );
      const startedAtMs = performance.now() - 1_000 * Number(uptime);
      for (const [key, place] of doomed) {
        const isElsewhere =
          place.server !== undefined && (place.server !== identity || place.openedAtMs < startedAtMs);
        if (isElsewhere || (await end(session, place))) doomed.delete(key);
      }
      void session.end();
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  function doom(place: ServerPlace | undefined): void {
    if (place === undefined || doomed.size >= MAX_DOOMED) return;
    doomed.set(`${place.threadId} ${place.server}`, { ...place, sinceMs: performance.now() });
  }

  return {
    kill(place) {
      if (stop.signal.aborted) return;
      doom(place);
      if (!isRunning) void run();
    },
    close: () => stop.abort(),
  };
}

const NO_SUCH_THREAD = 1094;
const CLOCK_GRAIN_SECONDS = 2;

/**
 * Returns whether the session has ended. It leaves a running commit alone: a commit that waits for a replica
 * would become visible too early.
 */
async function end(session: MysqlSession, place: ServerPlace): Promise<boolean> {
  // MySQL does not answer from information_schema.processlist while anybody's statement has a character of four bytes.
  const sessions = await session.read('SHOW PROCESSLIST', [], STATEMENT_TIMEOUT_MS);
  const found = sessions.find(([id]) => Number(id) === place.threadId);
  if (found === undefined) return true;
  const [, , , , command, idleSeconds] = found;
  const isIdle = command === 'Sleep';
  if (place.server === undefined && !(isIdle && isLeftAlone(place, Number(idleSeconds)))) return true;
  if (place.isCommitting && !isIdle) return false;
  await session.write(`KILL ${place.threadId}`, [], STATEMENT_TIMEOUT_MS).catch(unlessGone);
  return true;
}

/** A session that was lost before the server identified itself is recognised by its idle time. */
function isLeftAlone({ heardAtMs }: ServerPlace, idleSeconds: number): boolean {
  const unheardSeconds = (performance.now() - heardAtMs) / 1_000;
  return Math.abs(unheardSeconds - idleSeconds) <= CLOCK_GRAIN_SECONDS;
}

/** The session may have ended meanwhile. */
function unlessGone(error: unknown): void {
  const isGone = error instanceof Error && 'errno' in error && error.errno === NO_SUCH_THREAD;
  if (!isGone) throw error;
}
