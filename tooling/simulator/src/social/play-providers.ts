import { startProviderSimulator } from './start-provider-simulator.js';

/** Plays the six providers until the process is told to stop; resolves to the exit code. */
export async function playProviders({ port, host }: { port: number; host: string }): Promise<number> {
  const simulator = await startProviderSimulator({ port, host });
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
  await simulator[Symbol.asyncDispose]();
  return 0;
}
