import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Keeps the folder for one run at a time, also after a run that was killed.
 * @throws Error if another run has it
 */
export function claimFolder(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'running');
  const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  if (other !== undefined && isAlive(other))
    throw new Error(`process ${other} runs the stress tests; if it is another program, delete ${file}`);
  writeFileSync(file, String(process.pid));
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
