import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where `pnpm test:matrix:prepare` puts what it fetches, for every clone of this user. */
export function cacheFolderIn(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'gatehouse-matrix');
}
