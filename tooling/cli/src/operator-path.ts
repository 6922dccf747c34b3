import { resolve } from 'node:path';
import type { CommandContext } from './command.js';

/** A path as the operator means it: from where they stand, also when pnpm runs the command from the repository's root. */
export function operatorPath({ env }: Pick<CommandContext, 'env'>, path: string): string {
  return resolve(env['INIT_CWD'] ?? '.', path);
}
