import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

/** A running server process. */
export interface DatabaseServer {
  readonly pid: number;
  /** Sends a signal and waits for the end. Does nothing when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Suspends the process: connections stay open without an answer. */
  pause(): Promise<void>;
  resume(): void;
}

/** The command of a server process, and the probe that shows it is ready. */
export interface DatabaseServerStart {
  readonly program: string;
  readonly settings: readonly string[];
  readonly port: number;
  /** A statement that returns one value, and that value. */
  readonly readyWhen: { readonly sql: string; readonly is: string };
}

const START_TIMEOUT_MS = 60_000;

/**
 * Starts a server process that ends together with this one, and waits until it is ready.
 * @throws Error with the end of its log if it does not start within a minute
 */
export async function startDatabaseServer(start: DatabaseServerStart): Promise<DatabaseServer> {
  const server = spawn(start.program, start.settings, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  });
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const killAtExit = (): void => void server.kill('SIGKILL');
  process.on('exit', killAtExit);
  server.once('exit', () => process.off('exit', killAtExit));

  const startedMs = performance.now();
  while (!(await isReady(start))) {
    if (hasEnded() || performance.now() - startedMs > START_TIMEOUT_MS) {
      server.kill('SIGKILL');
      throw new Error(`the private server did not start:\n${log}`);
    }
    await pause(40);
  }
  return {
    pid: server.pid ?? 0,
    async end(signal) {
      if (hasEnded()) return;
      const ended = once(server, 'exit');
      server.kill('SIGCONT');
      server.kill(signal);
      await ended;
    },
    async pause() {
      server.kill('SIGSTOP');
      while (!(await isSuspended(server.pid ?? 0))) await pause(1);
    },
    resume: () => void server.kill('SIGCONT'),
  };
}

async function isReady({ port, readyWhen }: DatabaseServerStart): Promise<boolean> {
  try {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      connectTimeout: 1_000,
    });
    try {
      const [rows] = await connection.query<RowDataPacket[]>({ sql: readyWhen.sql, rowsAsArray: true });
      return String(rows[0]?.[0]) === readyWhen.is;
    } finally {
      await connection.end();
    }
  } catch {
    return false;
  }
}

/** A stop signal takes effect with a delay. proc(5) shows the state of the process. */
async function isSuspended(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
