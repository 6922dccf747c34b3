import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keepLog } from './canaries.js';
import { findFreePort } from './find-free-port.js';
import { plantEnvironment } from './plant-environment.js';
import { sendRequest, type TestRequest } from './send-request.js';
import { testEnvironment } from './test-config.js';

/** A built deployment in its own process. It can be killed, suspended and restarted. */
export interface SpawnedService extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Sends one request; `body` is sent as JSON. */
  send(path: string, request?: TestRequest): Promise<Response>;
  /** Its whole output. */
  output(): string;
  /** Stops it gracefully and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Kills it, like a power cut. */
  kill9(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;

/** The repository, whose packages are built. */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Starts `apps/<program>/dist/main.js` over a database on a free port. Needs a build.
 * @param options.tree the folder that has it, as `deploy/production-tree` makes it, instead of the repository
 * @throws Error with its output if it exits, or does not listen within 20 seconds
 */
export async function spawnService(
  program: 'api-main' | 'api-admin',
  options: { databaseUrl: string; port?: number; env?: Readonly<Record<string, string>>; tree?: string },
): Promise<SpawnedService> {
  const main = join(options.tree ?? REPOSITORY, `apps/${program}/dist/main.js`);
  const port = options.port ?? (await findFreePort());
  const env = { ...testEnvironment(), DATABASE_URL: options.databaseUrl, PORT: String(port), ...options.env };
  plantEnvironment(env);
  const child = spawn(process.execPath, [main], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk.toString();
    keepLog(chunk.toString());
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  try {
    await answering(url, child, () => text);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };

  return {
    url,
    pid: child.pid ?? 0,
    output: () => text,
    send: (path, request) => sendRequest(`${url}${path}`, request),
    stop: () => end('SIGTERM'),
    kill9: async () => void (await end('SIGKILL')),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}

/** Resolves once the service answers. Rejects if it exits first or takes too long. */
async function answering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < givesUpAt) {
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    if (response?.ok) return;
    await pause(25);
  }
  throw new Error(`The service did not start:\n${output()}`);
}
