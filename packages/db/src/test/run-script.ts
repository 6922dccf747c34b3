import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { compileProgram } from '@gatehouse/testkit/database';

/** Starts a script of this folder in a separate process. */
export async function startScript(
  name: string,
  parameters: readonly string[],
): Promise<ChildProcess & { readonly stdout: Readable }> {
  const script = await compileProgram(new URL(name, import.meta.url));
  return spawn(process.execPath, [script, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Runs a script of this folder in a separate process and returns its output; rejects if it fails. */
export async function runScript(name: string, parameters: readonly string[]): Promise<string> {
  const child = await startScript(name, parameters);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
  return printed;
}
