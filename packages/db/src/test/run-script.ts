import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder in a separate process and returns its output; rejects if it fails. */
export async function runScript(name: string, parameters: readonly string[]): Promise<string> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=@gatehouse/source', script, ...parameters],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
  return printed;
}
