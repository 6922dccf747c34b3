import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The checkouts of other commits, kept for the next run: not below node_modules, where the compiler takes our own types for foreign ones. */
const FOLDER = '.data/bench';

/**
 * The folder of a commit that is checked out and built, with the packages that its own lockfile names.
 * @throws {Error} if there is no such commit, or pnpm's store does not have its packages
 */
export function builtCommit(commit: string): { readonly folder: string; readonly id: string } {
  const id = execFileSync('git', ['rev-parse', '--short=8', `${commit}^{commit}`], {
    encoding: 'utf8',
  }).trim();
  const folder = resolve(FOLDER, id);
  if (!existsSync(folder)) {
    execFileSync('git', ['worktree', 'prune']);
    execFileSync('git', ['worktree', 'add', '--detach', folder, id], { stdio: 'ignore' });
  }
  const run = (...args: string[]) =>
    execFileSync('pnpm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (!existsSync(join(folder, 'node_modules'))) run('install', '--offline', '--frozen-lockfile', '--silent');
  run('--silent', 'build');
  return { folder, id };
}
