import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from './repository-root.js';

/** Runs a development tool of the repository in a folder. Returns its standard output, whatever its exit code. */
export function runTool(name: string, args: readonly string[], folder: string): string {
  const { stdout, stderr, error } = spawnSync(join(REPOSITORY_ROOT, 'node_modules/.bin', name), args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (stdout === '') throw new Error(`${name} said nothing: ${stderr}`);
  return stdout;
}
