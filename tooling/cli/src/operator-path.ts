import { resolve } from 'node:path';
import type { CommandContext } from './command.js';

/**
 * A path relative to the operator's working folder, even if pnpm runs the command from the repository's root.
 */
export function operatorPath({ env }: Pick<CommandContext, 'env'>, path: string): string {
  return resolve(env['INIT_CWD'] ?? '.', path);
}
