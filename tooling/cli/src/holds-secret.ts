import type { CommandContext } from './command.js';

/** Whether a partner's secretKey is a secret of this service: somebody who knows one of ours could sign in our name. */
export function holdsSecret(env: CommandContext['env'], given: string): boolean {
  return Object.values(env).some((value) => value?.split(',').some((each) => each.trim() === given));
}
