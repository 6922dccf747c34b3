import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** One server of the bench, in its own process. */
export interface Target {
  readonly process: ChildProcess;
  readonly origin: string;
}

/** The environment of the image and units, for every server measured. */
export const AS_DEPLOYED = {
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=256',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

const ready = z.object({ port: z.number() });

/** Starts one of the programs in `targets/` and waits until it listens. */
export async function startTarget(
  program: string,
  options: { payload?: object; env?: Record<string, string> } = {},
): Promise<Target> {
  const path = fileURLToPath(new URL(`./targets/${program}.js`, import.meta.url));
  const child = fork(path, {
    env: { ...AS_DEPLOYED, ...options.env },
    // As `runDeployment` sets it.
    execArgv: ['--no-allocation-site-pretenuring'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (options.payload !== undefined) child.send(options.payload);
  const message = await nextMessage(child);
  return { process: child, origin: `http://127.0.0.1:${ready.parse(message).port}` };
}

/** The next message of a target. Rejects when the process ends first. */
export function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const refuse = (code: number | null) =>
      reject(new Error(`A target of the bench ended with code ${code}`));
    child.once('exit', refuse);
    child.once('message', (message) => {
      child.off('exit', refuse);
      resolve(message);
    });
  });
}

/**
 * The answer of every bare server. The parent process sends our service's answer first, so that all bodies
 * are equal.
 */
export function payloadFromParent(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('message', resolve);
  });
}

/** Listens on a free loopback port, reports it to the parent, and ends with the parent. */
export function listenAndReport(server: { listen: Server['listen']; address: Server['address'] }): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The server does not listen on a port');
    process.send?.({ port: address.port });
  });
  process.on('disconnect', () => process.exit(0));
}
