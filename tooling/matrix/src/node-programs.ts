import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const folderOf = (cache: string, node: string): string => join(cache, `node-${node}`);

/** The folder of the program of a fetched Node. */
export const programFolderOf = (cache: string, node: string): string =>
  join(folderOf(cache, node), 'node_modules/node/bin');

/** The version of a fetched Node; undefined if it is not there, or another. */
export async function nodeVersion(cache: string, node: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(join(programFolderOf(cache, node), 'node'), ['--version']);
    return stdout.startsWith(`v${node}.`) ? stdout.trim().slice(1) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Fetches the newest release of a Node, unless it was fetched. The package `node` of npm carries the program.
 * @returns its version
 * @throws Error if npm cannot fetch it, or what it fetched does not run
 */
export async function fetchNode(cache: string, node: string): Promise<string> {
  const fetched = await nodeVersion(cache, node);
  if (fetched !== undefined) return fetched;
  await run('npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folderOf(cache, node),
    `node@${node}`,
  ]);
  const version = await nodeVersion(cache, node);
  if (version === undefined) throw new Error(`npm fetched Node ${node}, and it does not run`);
  return version;
}
