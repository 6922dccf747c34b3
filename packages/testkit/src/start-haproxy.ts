import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findHaproxy } from './find-haproxy.js';

const START_TIMEOUT_MS = 10_000;

/**
 * Runs haproxy with a configuration file until disposal.
 * @param ports it counts as started once it listens on these
 * @throws Error if haproxy is not installed, or with its output if it does not start within ten seconds
 */
export async function startHaproxy(
  file: string,
  options: { variables: Readonly<Record<string, string>>; ports: readonly number[] },
): Promise<AsyncDisposable> {
  const program = findHaproxy();
  if (program === undefined) throw new Error('haproxy is not installed');
  const proxy = spawn(program, ['-db', '-f', file], {
    env: options.variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const collect = (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  };
  proxy.stdout.on('data', collect);
  proxy.stderr.on('data', collect);
  const ended = once(proxy, 'exit');
  const killAtExit = (): void => void proxy.kill('SIGKILL');
  process.on('exit', killAtExit);
  proxy.once('exit', () => process.off('exit', killAtExit));

  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  for (const port of options.ports) {
    while (!(await accepts(port))) {
      if (proxy.exitCode !== null || performance.now() > givesUpAt) {
        proxy.kill('SIGKILL');
        throw new Error(`haproxy did not start:\n${log}`);
      }
      await pause(25);
    }
  }
  return {
    async [Symbol.asyncDispose]() {
      proxy.kill('SIGKILL');
      await ended;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
