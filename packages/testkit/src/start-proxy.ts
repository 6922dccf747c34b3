import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const START_TIMEOUT_MS = 10_000;

/** A program that listens until disposal. */
export interface ProxyProgram {
  /** Its path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** It is regarded as started once it listens on these. */
  readonly ports: readonly number[];
}

/**
 * Runs a proxy until disposal.
 * @throws Error with its output if it does not listen within ten seconds
 */
export async function startProxy({ program, args, env, ports }: ProxyProgram): Promise<AsyncDisposable> {
  const proxy = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const collect = (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  };
  proxy.stdout.on('data', collect);
  proxy.stderr.on('data', collect);
  const ended = once(proxy, 'exit');
  // Killed at once, nginx would leave its workers behind.
  const killAtExit = (): void => void proxy.kill('SIGTERM');
  process.on('exit', killAtExit);
  proxy.once('exit', () => process.off('exit', killAtExit));

  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  for (const port of ports) {
    while (!(await accepts(port))) {
      if (proxy.exitCode !== null || performance.now() > givesUpAt) {
        proxy.kill('SIGKILL');
        throw new Error(`${program} did not start:\n${log}`);
      }
      await pause(25);
    }
  }
  return {
    async [Symbol.asyncDispose]() {
      proxy.kill('SIGTERM');
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
