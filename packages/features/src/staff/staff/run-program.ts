import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '@gatehouse/auth-core';

export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  /**
   * Written to standard input as fast as the program reads it; the program may exit before it has read
   * everything.
   */
  readonly input: AsyncIterable<string>;
  readonly timeoutMs: number;
  readonly mostOutputBytes: number;
}

type RunningProgram = ChildProcessByStdio<Writable, Readable, null>;

/** None of our own environment is passed on, because it has every secret of the service. */
const ENVIRONMENT = {
  PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
};

/** How long we wait for output after the program has exited. */
const LINGER_MS = 1_000;

/**
 * Runs a program without a shell, in its own process group, and resolves to its output. The whole group is
 * killed when the program exits, prints too much or takes too long, or when this process exits.
 *
 * @throws {AppError} `analysis_failed`, with the reason as detail; errors of the input pass unchanged
 */
export async function runProgram(run: ProgramRun): Promise<string> {
  const child: RunningProgram = spawn(run.file, run.args, {
    shell: false,
    detached: true,
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) endGroup(child);
  };
  process.once('exit', end);
  try {
    const [output] = await Promise.all([readOutput(child, run), feedInput(child, run.input)]);
    return output;
  } finally {
    end();
    process.off('exit', end);
  }
}

function readOutput(child: RunningProgram, { timeoutMs, mostOutputBytes }: ProgramRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let reason: string | undefined;
    const stop = (why: string) => {
      reason ??= why;
      endGroup(child);
    };
    const timer = setTimeout(stop, timeoutMs, 'it took too long');
    const settle = (cause?: unknown) => {
      clearTimeout(timer);
      if (reason === undefined) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new AppError('analysis_failed', { detail: `the analysis program: ${reason}`, cause }));
    };
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostOutputBytes) stop('it printed too much');
      else chunks.push(chunk);
    });
    child.on('error', (error) => {
      reason ??= 'it could not be started';
      settle(error);
    });
    child.on('exit', () => {
      endGroup(child);
      // A process that left the group may keep the pipe open forever.
      setTimeout(() => child.stdout.destroy(), LINGER_MS).unref();
    });
    child.on('close', (code, signal) => {
      if (code !== 0) reason ??= `it ended with ${signal ?? `code ${code}`}`;
      settle();
    });
  });
}

/** A program may exit before it has read everything; an error of the input is a failure. */
async function feedInput(child: RunningProgram, input: AsyncIterable<string>): Promise<void> {
  const { stdin } = child;
  const closed = new Promise<void>((resolve) => {
    stdin.once('close', resolve);
  });
  stdin.on('error', () => undefined);
  try {
    for await (const text of input) {
      if (stdin.destroyed) return;
      if (!stdin.write(text)) await Promise.race([drained(stdin), closed]);
    }
  } catch (error) {
    endGroup(child);
    throw error;
  }
  stdin.end();
}

function drained(stdin: Writable): Promise<void> {
  return new Promise((resolve) => {
    stdin.once('drain', resolve);
  });
}

function endGroup({ pid }: RunningProgram): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has exited already.
  }
}
