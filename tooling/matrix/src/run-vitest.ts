import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const STOPPING_MS = 10_000;

/** How one run of vitest is started. */
export interface VitestRun {
  readonly env: NodeJS.ProcessEnv;
  /** The file for what it prints. */
  readonly log: string;
  /** The program of Node; without it the one that runs this. */
  readonly node?: string;
  /** Ends the run with all its processes. */
  readonly signal?: AbortSignal;
}

/**
 * Runs vitest on what was built, in a process group of its own, of which nothing is left afterwards. It ends too when this process dies.
 * @returns its exit code; null if it was stopped
 */
export async function runVitest(words: readonly string[], run: VitestRun): Promise<number | null> {
  const output = openSync(run.log, 'w');
  const child = spawn(run.node ?? process.execPath, [vitest, ...words], {
    env: { ...run.env, GATEHOUSE_BUILT: '1' },
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  });
  closeSync(output);
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // None of its processes is left.
    }
  };
  let force: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGINT');
    force = setTimeout(signalGroup, STOPPING_MS, 'SIGKILL');
  };
  run.signal?.addEventListener('abort', stop, { once: true });
  await once(child, 'exit');
  run.signal?.removeEventListener('abort', stop);
  clearTimeout(force);
  signalGroup('SIGKILL');
  return run.signal?.aborted ? null : child.exitCode;
}

const report = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** What vitest writes into the file of `GATEHOUSE_TEST_REPORT`. */
export type VitestReport = z.output<typeof report>;

/** The report of a run; of a run that wrote none, one without tests. */
export function readReport(path: string): VitestReport {
  if (!existsSync(path)) return { success: false, numPassedTests: 0, numFailedTests: 0, testResults: [] };
  return report.parse(readJson(path));
}

/** A file of JSON. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
